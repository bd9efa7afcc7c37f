package uci

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/endgame"
	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/mapfile"
	"kroo/internal/testkit"
)

// A service whose files are truncated continues without them and reports it.
func TestFilesChangedWhileInUse(t *testing.T) {
	defer func(old int64) { mapfile.Small = old }(mapfile.Small)
	mapfile.Small = 0
	dir := t.TempDir()
	if _, err := endgame.BuildFile(t.Context(), endgame.Config{Rules: oware.Abapa, Bounds: endgame.Crude, Seeds: 8}, dir, nil); err != nil {
		t.Fatal(err)
	}
	tables := filepath.Join(dir, endgame.FileName(oware.Abapa))
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{HashMB: 1, Tables: tables}}, "abapa"))(t)
	defer e.Close()
	s := testkit.Must(New(e, Config{}))(t)
	testkit.NoError(t, os.Truncate(tables, 100))
	const commands = "position 1-0-2-0-2-0-1-0-1-0-1-2-19-19-S\ngo depth 12\nisready\ngo depth 12\nquit\n"
	var out strings.Builder
	testkit.NoError(t, s.Serve(t.Context(), strings.NewReader(commands), &out))
	if text := out.String(); strings.Count(text, "bestmove") != 2 || strings.Count(text, "endgame tables no longer used: "+tables) != 1 {
		t.Errorf("output %s", text)
	}
}
