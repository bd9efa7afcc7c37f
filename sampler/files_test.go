package sampler

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/datasets"
	"kroo/engine"
	"kroo/games/oware"
	_ "kroo/internal/testenv" // temporary folders in memory
	"kroo/internal/testkit"
)

// sampleFrom samples from a file with this content.
func sampleFrom(t *testing.T, c Config, name, text string) (out string, err error) {
	t.Helper()
	dir := t.TempDir()
	c.From, c.N = filepath.Join(dir, name), MaxN
	testkit.NoError(t, os.WriteFile(c.From, []byte(text), 0o644))
	out = filepath.Join(dir, "out.parquet")
	_, err = Sample(t.Context(), engine.Oware(), c, engine.Spec{Weights: engine.CapturesName}, out, "", nil)
	return out, err
}

// boardsOf returns the positions of a table.
func boardsOf(t *testing.T, path string) (boards []string) {
	t.Helper()
	for _, r := range readPositions(t, path) {
		boards = append(boards, r.Position.String())
	}
	return boards
}

func TestPositionsOfRecordedGames(t *testing.T) {
	out := testkit.Must(sampleFrom(t, Config{Method: file}, "two.ogn", "1. F f 2. E *\n\n[Event \"x\"]\n\n1. F e 1-0\n"))(t)
	var want []positionRow
	p := oware.Start(oware.Abapa)
	for ply, m := range []oware.Move{5, 5, 4} {
		want = append(want, positionRow{Position: p, Game: 1, Ply: int32(ply)})
		p = p.Play(m)
	}
	want = append(want, positionRow{Position: p, Game: 1, Ply: 3})
	second := oware.Start(oware.Abapa).Play(5).Play(4)
	resigned := datasets.Outcome{Result: datasets.Win}                                     // only finished games have a margin
	want = append(want, positionRow{Position: second, Game: 2, Ply: 2, Outcome: resigned}) // the earlier positions are duplicates
	got := readPositions(t, out)
	if len(got) != len(want) {
		t.Fatalf("%d rows: want %d", len(got), len(want))
	}
	for i := range want {
		testkit.Equal(t, got[i], want[i], "row %d", i)
	}
}

const (
	startBoard = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
	lateBoard  = "0-0-0-0-2-1-0-1-0-0-0-1-23-20-N"
)

func TestBoardsOfAText(t *testing.T) {
	out := testkit.Must(sampleFrom(t, Config{Method: file}, "boards.txt", "# two boards\n\n"+startBoard+"\n "+lateBoard+"\r\n"+startBoard+"\n"))(t)
	testkit.Equal(t, strings.Join(boardsOf(t, out), " "), startBoard+" "+lateBoard, "boards")
}

// Of a table only the boards are read, whatever else it has.
func TestBoardsOfATable(t *testing.T) {
	for _, text := range []string{"\ufeffboard\n" + startBoard + "\n", "score, Board ,label\nmuch," + startBoard + ",NaN\n"} {
		out := testkit.Must(sampleFrom(t, Config{Method: file}, "boards.csv", text))(t)
		testkit.Equal(t, strings.Join(boardsOf(t, out), " "), startBoard, "boards")
	}
	rows := []datasets.Row[oware.Position]{{Position: oware.Start(oware.Awari)}}
	path := filepath.Join(t.TempDir(), "awari.parquet")
	testkit.NoError(t, datasets.Write(oware.Descriptor(), path, datasets.Meta{Kind: datasets.Positions, Game: "oware", Rules: "awari"}, datasets.Rows(rows)))
	_, err := Sample(t.Context(), engine.Oware(), Config{Method: file, From: path, N: 1}, engine.Spec{}, filepath.Join(t.TempDir(), "o.csv"), "", nil)
	testkit.Refused(t, err, "awari.parquet: its rules are awari: expected abapa")
}

// Repeated positions in a file do not end the stream, unlike draws in a small game.
func TestAFileIsReadToItsEnd(t *testing.T) {
	const other = "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N"
	text := "\ufeff" + strings.Repeat(startBoard+"\n", maxRepeats+2) + other + "\n"
	path := filepath.Join(t.TempDir(), "again.txt")
	testkit.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	out := filepath.Join(t.TempDir(), "p.csv")
	sum, err := Sample(t.Context(), engine.Oware(), Config{Method: file, From: path, N: MaxN, Rules: "abapa"}, engine.Spec{Weights: engine.CapturesName}, out, "", nil)
	if err != nil || sum.Positions != 2 || sum.Repeated != maxRepeats+1 {
		t.Errorf("%+v, error %v", sum, err)
	}
	if got := boardsOf(t, out); len(got) != 2 || got[1] != other {
		t.Errorf("boards %s", got)
	}
}

func TestErrorsOfFilesHaveFileAndPlace(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.txt", startBoard + "\n4-4\n", "a.txt:2: "},
		{"over.txt", "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S\n", "over.txt:1: the game is over"},
		{"long.txt", strings.Repeat("4", 1<<20), "not a list of boards"},
		{"empty.txt", "", "empty.txt: no position in it"},
		{"bad.ogn", "1. F F", "bad.ogn:1:"},
		{"rules.ogn", "[Rules \"awari\"]\n\n1. F f *", "under the rules awari: expected abapa"},
		{"none.csv", "a,b\n1,2\n", "no column \"board\": its columns are a, b"},
		{"two.csv", "board,board\n" + startBoard + "\n", "two.csv: there are two columns \"board\""},
		{"over.csv", "board\n0-0-0-0-0-0-0-0-0-0-0-0-24-24-S\n", "over.csv:2: the game is over"},
		{"ragged.csv", "board,label\n" + startBoard + "\n", "ragged.csv:2: expected 2 values"},
		{"void.csv", "", "void.csv"},
	} {
		out, err := sampleFrom(t, Config{Method: file}, c.name, c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v: want one line with %q", c.name, err, c.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: a table was written", c.name)
		}
	}
}

func FuzzFile(f *testing.F) {
	f.Add(0, startBoard)
	f.Add(1, "1. F f *")
	c, err := Config{Method: file, From: "x", N: 1}.withDefaults(oware.Descriptor().Info)
	c.read = new(read)
	testkit.NoError(f, err)
	f.Fuzz(func(t *testing.T, kind int, text string) {
		g, r := oware.Descriptor(), strings.NewReader(text)
		take := func(d datasets.Row[oware.Position], err error) bool {
			if _, over := d.Position.Terminal(); over || err != nil {
				t.Errorf("%+v, error %v", d, err)
			}
			return true
		}
		var err error
		if kind%2 == 0 {
			err = eachBoard(r, "x", func(_, text string) error {
				p, err := playable(g, c.Rules, text)
				if err == nil {
					take(datasets.Row[oware.Position]{Position: p}, nil)
				}
				return err
			})
		} else {
			err = fromRecords(g, c, r, take)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("error %q is not one line", err)
		}
	})
}
