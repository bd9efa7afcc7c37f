package dropout

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kroo/book"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

func TestLeavesAreReadAsWritten(t *testing.T) {
	g := build(t, config(100))
	path := filepath.Join(t.TempDir(), "dropout.csv")
	testkit.NoError(t, WriteLeaves(path, g))
	leaves := testkit.Must(ReadLeaves(path))(t)
	for _, side := range []oware.Side{oware.South, oware.North} {
		if want := g.diagram(side); len(want) == 0 || !slices.Equal(leaves[side], want) {
			t.Errorf("%s: %d leaves, wrote %d, or others", side, len(leaves[side]), len(want))
		}
	}
}

func TestDamagedLeavesAreRefusedByLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "line 1",
		"side,value,depth\n":                    "line 1",
		LeavesHead + "\nS,1,2,true\nX,1,2,true": "line 3",
		LeavesHead + "\nS,1,2,true,junk":        "line 2",
		LeavesHead + "\nS,1,2,t":                "line 2",
		LeavesHead + "\nS,1,-2,true":            "line 2",
		LeavesHead + "\nS,1.5,2,true":           "line 2",
		LeavesHead + "\nS,1,2":                  "line 2",
		LeavesHead + "\nS,1001,2,true":          "line 2",
		LeavesHead + "\n\"S,1,2,true":           "line 2",
	} {
		path := filepath.Join(t.TempDir(), "dropout.csv")
		testkit.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		if _, err := ReadLeaves(path); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), LeavesHead) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestLeavesOfOlderFilesAreRead(t *testing.T) {
	leaves, err := parseLeaves(strings.NewReader("side,value,depth,decided\nN,7,1,false\n"))
	if err != nil || len(leaves[oware.North]) != 1 {
		t.Errorf("%v, %v", leaves, err)
	}
}

// Any file is refused in one line, or is the same when it is written and read again.
func FuzzLeaves(f *testing.F) {
	f.Add([]byte(LeavesHead + "\nS,-12,3,true\nN,40,5,false\n"))
	f.Add([]byte(LeavesHead + "\nS,1"))
	f.Add([]byte("x"))
	f.Fuzz(func(t *testing.T, text []byte) {
		leaves, err := parseLeaves(bytes.NewReader(text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error of two lines: %q", err)
			}
			return
		}
		var b bytes.Buffer
		testkit.NoError(t, printLeaves(&b, leaves))
		again, err := parseLeaves(&b)
		if err != nil || !maps.EqualFunc(again, leaves, slices.Equal[[]book.Leaf]) {
			t.Errorf("%q: %v came out as %v, %v", text, leaves, again, err)
		}
	})
}
