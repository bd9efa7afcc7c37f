package datasets

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

const (
	firstBoard = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
	nextBoard  = "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N"
)

func TestBoards(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"list.txt":      "\ufeff# a list\n\n  " + firstBoard + " # the start\r\n" + nextBoard,
		"list.epd":      firstBoard + "\n" + nextBoard + "\n",
		"headless.csv":  "# a list\n" + firstBoard + " # the start\n" + nextBoard + "\n",
		"table.csv":     "board\n" + firstBoard + "\n" + nextBoard + "\n",
		"table-of.CSV":  "\ufeffscore;Board\r\nmuch; " + firstBoard + "\r\n;" + nextBoard + "\r\n",
		"separator.csv": "sep=;\nboard;x\n" + firstBoard + ";1\n" + nextBoard + ";2\n",
	} {
		var found, places []string
		for b, err := range Boards(t.Context(), oware.Descriptor(), testkit.File(t, name, text), "abapa") {
			testkit.NoError(t, err)
			found = append(found, b.Position.String())
			places = append(places, b.Place)
		}
		testkit.EqualSlices(t, found, []string{firstBoard, nextBoard}, "%s", name)
		if !strings.Contains(places[0], name+":") || places[0] == places[1] {
			t.Errorf("%s: the places are %s", name, places)
		}
	}
}

func TestBoardsRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"bad.txt":    {firstBoard + "\n\n4-4 # x\n", "bad.txt:3: "},
		"long.txt":   {firstBoard + "\n" + strings.Repeat("#", 70_000), "long.txt:2: the line is too long"},
		"long.csv":   {strings.Repeat("4", 70_000), "no column \"board\""},
		"bad.csv":    {"board\n4-4\n", "bad.csv:2: "},
		"later.csv":  {firstBoard + "\n4-4\n", "later.csv:2: "},
		"others.csv": {"a,b\n1,2\n", "no column \"board\": its columns are a, b"},
		"row.csv":    {firstBoard + ",5\n", "the first line has to name the columns"},
		"ragged.csv": {"board,label\n" + firstBoard + "\n", "ragged.csv:2: expected 2 values"},
		"empty.csv":  {"", "empty.csv: it is empty"},
	} {
		var last error
		for _, err := range Boards(t.Context(), oware.Descriptor(), testkit.File(t, name, c.text), "abapa") {
			if last != nil {
				t.Errorf("%s: more after %v", name, last)
			}
			last = err
		}
		if testkit.ErrorContains(t, last, c.want); strings.Contains(last.Error(), "\n") {
			t.Errorf("%s: %q is not one line", name, last)
		}
	}
	for _, name := range []string{"none.txt", "none.csv", "none.parquet"} {
		for _, err := range Boards(t.Context(), oware.Descriptor(), filepath.Join(t.TempDir(), name), "abapa") {
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestBoardLinesReportsAFailedRead(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	var last error
	for _, err := range boardLines(io.MultiReader(strings.NewReader(firstBoard+"\n"), iotest.ErrReader(broken)), "x") {
		last = err
	}
	if !errors.Is(last, broken) {
		t.Errorf("error %v", last)
	}
}

func FuzzBoardLines(f *testing.F) {
	f.Add("# list\n" + nextBoard + "\n" + firstBoard + " # x\n")
	f.Add("4-4\r\n\xff")
	f.Fuzz(func(t *testing.T, text string) {
		boards := boardsIn(t, text)
		again := boardsIn(t, strings.Join(boards, "\n"))
		if !slices.Equal(boards, again) {
			t.Errorf("%q, again %q", boards, again)
		}
	})
}

// boardsIn returns the boards of a list that can be read.
func boardsIn(t *testing.T, text string) (boards []string) {
	for line, err := range boardLines(strings.NewReader(text), "file") {
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") || !strings.HasPrefix(err.Error(), "file:") {
				t.Errorf("error %q", err)
			}
			continue
		}
		p, err := oware.ParseBoard(oware.Abapa, line.board)
		if err == nil {
			boards = append(boards, p.String())
		}
	}
	return boards
}
