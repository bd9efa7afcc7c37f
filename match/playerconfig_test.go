package match

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/internal/testkit"
)

func TestParsePlayer(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]PlayerConfig{
		"captures":     {Spec: engine.Spec{Weights: "captures"}},
		"a b/w,1.json": {Spec: engine.Spec{Weights: "a b/w,1.json"}},
		"weights=w.json,nodes=5,depth=6,hash=7,movetime=8ms,book=b.bin,name=x": {
			Name: "x", Spec: engine.Spec{
				Weights: "w.json", Book: "b.bin",
				Search: engine.Config{Nodes: 5, Depth: 6, HashMB: 7, MoveTime: engine.Duration{Duration: 8 * time.Millisecond}},
			},
		},
		`cmd=./other -x "two words" '',dir=/tmp,option.Hash=16,option.Clear Hash=,startup=2s,timeout=3s,tc=1m+2s,unit=250`: {
			Clock: TimeControl{Base: time.Minute, Inc: 2 * time.Second},
			Spec: engine.Spec{Program: client.Command{
				Path: "./other", Args: []string{"-x", "two words", ""}, Dir: "/tmp", StartUp: 2 * time.Second, Hang: 3 * time.Second, Unit: 250,
				Options: []client.Option{{Name: "Hash", Value: "16"}, {Name: "Clear Hash"}},
			}},
		},
		"vary=on":                 {Vary: &engine.Vary{Within: 40, Plies: 12}},
		"vary=10:6":               {Vary: &engine.Vary{Within: 10, Plies: 6}},
		"full_width=true,depth=9": {Spec: engine.Spec{Search: engine.Config{Depth: 9, FullWidth: true}}},
		"book=default,bookmargin=42,bookvariety=guarded": {
			Spec: engine.Spec{Book: "default", Policy: engine.BookPolicy{Margin: 42, Variety: engine.Guarded}},
		},
		"algorithm=uct,nodes=900,name=u":        {Name: "u", Textbook: "uct", Spec: engine.Spec{Search: engine.Config{Nodes: 900}}},
		"algorithm=minimax,depth=6,ties=random": {Textbook: "minimax", Ties: tiesRandom, Spec: engine.Spec{Search: engine.Config{Depth: 6}}},
		"vary=5":                                {Vary: &engine.Vary{Within: 5, Plies: 12}},
		"cmd=./bot,protocol=cg,movetime=50ms": {
			Spec: engine.Spec{
				Search:  engine.Config{MoveTime: engine.Duration{Duration: 50 * time.Millisecond}},
				Program: client.Command{Path: "./bot", Args: []string{}, Protocol: client.CG},
			},
		},
		"cmd=a,protocol=uci": {Spec: engine.Spec{Program: client.Command{Path: "a", Args: []string{}}}},
		`cmd=a\,b=c`:         {Spec: engine.Spec{Program: client.Command{Path: "a,b=c", Args: []string{}}}},
	} {
		got, err := ParsePlayer(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v, want %+v", text, got, err, want)
		}
	}
}

func TestPlayersThatCannotBe(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                 "no player",
		"=":                                "unknown",
		"nodes=5,nodes=6":                  "each key once",
		"nodes=5,depth":                    "KEY=VALUE",
		"nodes=":                           "no value",
		"nodes=many":                       "invalid syntax",
		"nodes=-1":                         "0 or more",
		"movetime=0s":                      "more than 0",
		"cmd=a 'b":                         "nterminated single-quoted string",
		"vary=no":                          "expected on, WITHIN or WITHIN:PLIES",
		"vary=1:-1":                        "expected on",
		"cmd=a,vary=on":                    "not for a program",
		"cmd=a,full_width=1":               "not for a program",
		"full_width=maybe":                 "invalid syntax",
		"book=b,bookmargin=x":              "invalid syntax",
		"book=b,bookmargin=-1":             "expected 0 to 1000",
		"book=b,bookvariety=odd":           "expected even, weighted or guarded",
		"bookmargin=42":                    "without a book",
		"cmd=a,bookmargin=42":              "not for a program",
		"cmd= ":                            "expected a program",
		"cmd=a,weights=captures":           "not for a program",
		"option.Hash=1":                    "expected cmd",
		"protocol=cg":                      "expected cmd",
		"cmd=a,protocol=xboard":            "expected uci or cg",
		"cmd=a,protocol=cg,nodes=5":        "movetime alone",
		"cmd=a,protocol=cg,option.X=5":     "movetime alone",
		"unit=1":                           "expected cmd",
		"cmd=a,unit=0":                     "more than 0",
		"cmd=a,unit=NaN":                   "more than 0",
		"algorithm=sss,depth=3":            `expected one of ["minimax" "alphabeta" "negascout" "mtdf" "uct"]`,
		"algorithm=uct,depth=3":            "nodes and name alone",
		"algorithm=uct,nodes=9,ties=first": "nodes and name alone",
		"algorithm=uct":                    "expected nodes=1",
		"algorithm=minimax":                "expected depth=1 to 40",
		"algorithm=minimax,depth=41":       "expected depth=1 to 40",
		"algorithm=minimax,depth=3,hash=1": "alone",
		"algorithm=minimax,depth=3,tc=1m":  "alone",
		"ties=first":                       "expected algorithm as well",
		"algorithm=minimax,depth=3,ties=x": "expected first, columns, mirrored, continuation or random",
		"cmd=a,algorithm=minimax":          "not for a program",
		"tc=soon":                          "BASE+INCREMENT",
		"nose=5":                           "expected one of algorithm, book, bookmargin, bookvariety, cmd,",
	} {
		if _, err := ParsePlayer(text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestPlayersTakeWhatTheMatchHas(t *testing.T) {
	t.Parallel()
	common := engine.Config{Nodes: 100, HashMB: 16}
	clocked := engine.Config{Depth: search.MaxPly, HashMB: 16}
	for _, tt := range []struct {
		c    PlayerConfig
		m    Config
		want engine.Config
	}{
		{PlayerConfig{}, Config{Config: common}, common},
		{PlayerConfig{Spec: engine.Spec{Search: engine.Config{HashMB: 1}}}, Config{Config: common}, engine.Config{Nodes: 100, HashMB: 1}},
		{PlayerConfig{Spec: engine.Spec{Search: engine.Config{Depth: 3}}}, Config{Config: common}, engine.Config{Depth: 3, HashMB: 16}},
		{PlayerConfig{Clock: TimeControl{Base: 1}}, Config{Config: common}, clocked},
		{PlayerConfig{}, Config{Config: engine.Config{HashMB: 16}, TimeControl: TimeControl{Base: 1}}, clocked},
	} {
		testkit.Equal(t, tt.c.search(tt.m), tt.want, "%+v", tt.c)
	}
}

func TestProgramsThatDoNotWorkAreRefusedBeforeTheMatch(t *testing.T) {
	t.Parallel()
	c, err := ParsePlayer("cmd=./no-such-program")
	testkit.NoError(t, err)
	_, err = open(t.Context(), engine.Oware(), c, Config{Pairs: 1})
	testkit.Refused(t, err, "no-such-program")
}

func FuzzParsePlayer(f *testing.F) {
	f.Add("cmd=a 'b',option.x=\\,y,nodes=5")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := ParsePlayer(text); err != nil && len(err.Error()) == 0 {
			t.Error("an error without words")
		}
	})
}

// Records say of a player that a clock alone limits just that.
func TestAClockIsNoLimitOfDepth(t *testing.T) {
	minute := TimeControl{Base: time.Minute}
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
		p := testkit.Must(ParsePlayer(c.player))(t)
		c.match.Pairs = 1
		e := testkit.Must(open(t.Context(), engine.Oware(), p, c.match))(t)
		defer e.Close()
		testkit.Equal(t, e.Limits, c.want, "%s: limits", c.player)
	}
}
