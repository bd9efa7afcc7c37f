package datasets

import (
	"path/filepath"
	"strings"
	"testing"

	"kroo/games/chess"
	"kroo/games/othello"
)

const obfStart = "---------------------------OX------XO---------------------------"

func TestNotationsOfOtherGamesAreRead(t *testing.T) {
	dir := t.TempDir()
	epd, obf := filepath.Join(dir, "a.epd"), filepath.Join(dir, "b.obf")
	put(t, epd, []byte("# a comment\n"+
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ce 34; acd 12; acn 5000; id \"one; two\"; bm e4;\r\n"+
		"\n8/8/8/4k3/8/8/4P3/4K3 b - - 0 1 ce -150;\n8/8 w - - ce 1;\n"))
	put(t, obf, []byte(obfStart+" X; F5:+0; D3:-2.5; % known\n"+strings.ReplaceAll(obfStart, "X", "*")+" *; C4:+4;D3:+6\n"+obfStart+" O;\n"))
	out := filepath.Join(dir, "out.parquet")
	if game, err := GameOf(t.Context(), epd); err != nil || game != "chess" {
		t.Errorf("game %q, error %v", game, err)
	}
	m, strays, err := AdoptAs(t.Context(), chess.Descriptor(), epd, out, "", Foreign{SkipBad: true})
	if err != nil || m.Rows != 2 || strays.Rows != 1 || !strings.HasPrefix(strays.First[0], ":5: ") {
		t.Fatalf("%+v, strays %+v, error %v", m, strays, err)
	}
	_, rows, err := Read[LabelRow[chess.Position]](chess.Descriptor(), out)
	if err != nil || rows[0].Score != 34 || rows[0].Depth != 12 || rows[0].Nodes != 5000 || rows[1].Score != -150 || chess.Descriptor().SideToMove(rows[1].Position) != 1 {
		t.Errorf("%+v, error %v", rows, err)
	}
	m, strays, err = AdoptAs(t.Context(), othello.Descriptor(), obf, filepath.Join(dir, "o.csv"), "", Foreign{SkipBad: true})
	if err != nil || m.Rows != 2 || strays.Rows != 1 {
		t.Fatalf("%+v, strays %+v, error %v", m, strays, err)
	}
	_, discs, err := Read[LabelRow[othello.Position]](othello.Descriptor(), filepath.Join(dir, "o.csv"))
	if err != nil || discs[0].Score != 0 || discs[1].Score != 600 || othello.Descriptor().MoveName(discs[1].Position, discs[1].Best) != "d3" {
		t.Errorf("%+v, error %v", discs, err)
	}
	_, err = Adopt(t.Context(), chess.Descriptor(), epd, Origin{Rules: "full"})
	wantError(t, err, epd, "with -o")
	wantError(t, CheckOutput(filepath.Join(dir, "c.epd")), "expected .parquet")
}

func FuzzNotations(f *testing.F) {
	f.Add(true, []byte("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ce 34; id \"a;\";\n"))
	f.Add(false, []byte(obfStart+" X; F5:+0; D3:-2.5; % known\n"))
	f.Fuzz(func(t *testing.T, isChess bool, data []byte) {
		check := func(err error) {
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q", err)
			}
		}
		if isChess {
			path := filepath.Join(t.TempDir(), "t.epd")
			put(t, path, data)
			for _, err := range ScanForeign[LabelRow[chess.Position]](t.Context(), chess.Descriptor(), path, Foreign{}, new(Strays)) {
				check(err)
			}
			return
		}
		path := filepath.Join(t.TempDir(), "t.obf")
		put(t, path, data)
		for _, err := range ScanForeign[LabelRow[othello.Position]](t.Context(), othello.Descriptor(), path, Foreign{}, new(Strays)) {
			check(err)
		}
	})
}
