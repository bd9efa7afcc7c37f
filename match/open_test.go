package match

import (
	"os"
	"testing"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/internal/testkit"
)

func TestPlayersInheritSettingsOfMatch(t *testing.T) {
	t.Parallel()
	common := engine.Config{Nodes: 100, HashMB: 16}
	clocked := engine.Config{Depth: search.MaxPly, HashMB: 16}
	for _, tt := range []struct {
		c    engine.Spec
		m    Config
		want engine.Config
	}{
		{engine.Spec{}, Config{Config: common}, common},
		{engine.Spec{Search: engine.Config{HashMB: 1}}, Config{Config: common}, engine.Config{Nodes: 100, HashMB: 1}},
		{engine.Spec{Search: engine.Config{Depth: 3}}, Config{Config: common}, engine.Config{Depth: 3, HashMB: 16}},
		{engine.Spec{Clock: engine.TimeControl{Base: 1}}, Config{Config: common}, clocked},
		{engine.Spec{}, Config{Config: engine.Config{HashMB: 16}, TimeControl: engine.TimeControl{Base: 1}}, clocked},
	} {
		testkit.Equal(t, limited(tt.c, tt.m), tt.want, "%+v", tt.c)
	}
}

func TestProgramsThatDoNotWorkAreRefusedBeforeTheMatch(t *testing.T) {
	t.Parallel()
	c, err := engine.ParseSpec("cmd=./no-such-program")
	testkit.NoError(t, err)
	_, err = open(t.Context(), engine.Oware(), c, Config{Pairs: 1})
	testkit.Refused(t, err, "no-such-program")
}

// Records describe a player limited only by a clock by its clock alone.
func TestAClockIsNoLimitOfDepth(t *testing.T) {
	minute := engine.TimeControl{Base: time.Minute}
	common := engine.Config{HashMB: 1, Tables: engine.NoTables}
	for _, c := range []struct {
		player string
		match  Config
		want   string
	}{
		{"captures", Config{Config: common, TimeControl: minute}, "a clock, hash 1 MiB, no tables"},
		{"weights=captures,tc=1m", Config{Config: common, TimeControl: minute}, "a clock, hash 1 MiB, no tables"},
		{"weights=captures,depth=9", Config{Config: common, TimeControl: minute}, "depth 9, hash 1 MiB, no tables"},
		{"weights=captures,depth=512", Config{Config: common}, "depth 512, hash 1 MiB, no tables"},
		{"cmd=" + os.Args[0] + " " + asEngine + " never", Config{Config: common, TimeControl: minute}, "a clock, OwnBook false"},
		{"cmd=" + os.Args[0] + " " + asEngine + " never,nodes=7", Config{Config: common, TimeControl: minute}, "nodes 7, OwnBook false"},
		{"cmd=" + os.Args[0] + " " + asEngine + " never,nodes=7,option.ownbook=true", Config{Config: common, TimeControl: minute}, "nodes 7"},
	} {
		p := testkit.Must(engine.ParseSpec(c.player))(t)
		c.match.Pairs = 1
		e := testkit.Must(open(t.Context(), engine.Oware(), p, c.match))(t)
		defer e.Close()
		testkit.Equal(t, e.Limits, c.want, "%s: limits", c.player)
	}
}
