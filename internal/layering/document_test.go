package layering

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kroo/internal/atomicfile"
	"kroo/internal/testkit"
)

var update = flag.Bool("update", false, "write the map's permissions into docs/architecture.md")

// documented is a text with a table whose rows start with a folder in backquotes and end with
// the two columns of its permissions.
type documented struct {
	lines []string
	row   map[string]int // line of a folder
	twice []string
}

func parseDocument(text string) documented {
	d := documented{lines: strings.Split(text, "\n"), row: map[string]int{}}
	inTable := false
	for i, line := range d.lines {
		if strings.HasPrefix(line, "| folder |") {
			inTable = true
		} else if !strings.HasPrefix(line, "|") {
			inTable = false
		}
		folder, isRow := strings.CutPrefix(line, "| `")
		if !inTable || !isRow {
			continue
		}
		folder, _, _ = strings.Cut(folder, "`")
		if _, known := d.row[folder]; known {
			d.twice = append(d.twice, folder)
		}
		d.row[folder] = i
	}
	return d
}

// shown formats a list of permissions for the document.
func shown(list []string) string {
	if len(list) == 0 {
		return "–"
	}
	return strings.Join(list, ", ")
}

// written returns a folder's row with the permissions of the map. It returns an error unless the
// row has four columns.
func written(row string, p permissions) (string, error) {
	columns := strings.Split(row, " | ")
	if len(columns) != 4 {
		return "", fmt.Errorf("%q: expected four columns", row)
	}
	return strings.Join([]string{columns[0], columns[1], shown(p.ours), shown(p.third) + " |"}, " | "), nil
}

func TestDocumentShowsTheMap(t *testing.T) {
	path := filepath.Join(root, "docs", "architecture.md")
	text := testkit.Read(t, path)
	d := parseDocument(string(text))
	for _, folder := range d.twice {
		t.Errorf("docs/architecture.md has two rows of %s", folder)
	}
	for folder := range d.row {
		if _, there := layers[folder]; !there {
			t.Errorf("docs/architecture.md has a row of %s, the map does not", folder)
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(layers)) {
		i, there := d.row[folder]
		if !there {
			t.Errorf("docs/architecture.md has no row of %s: add one that describes it", folder)
			continue
		}
		want, err := written(d.lines[i], layers[folder])
		if err != nil {
			t.Errorf("docs/architecture.md: %v", err)
			continue
		}
		if !*update && d.lines[i] != want {
			t.Errorf("docs/architecture.md:%d has\n\t%s\nwant (go test ./internal/layering -update)\n\t%s", i+1, d.lines[i], want)
		}
		d.lines[i] = want
	}
	if now := strings.Join(d.lines, "\n"); *update && !t.Failed() && !bytes.Equal([]byte(now), text) {
		testkit.NoError(t, atomicfile.WriteBytes(path, []byte(now)))
	}
}

func TestParseDocument(t *testing.T) {
	d := parseDocument("# x\n\n| folder | what |\n|---|---|\n| `a` | one | b | – |\n| `b` | two | – | – |\n| `a` | three | – | – |\n\n| `c` | of another table |\n")
	if len(d.row) != 2 || d.row["b"] != 5 || !slices.Equal(d.twice, []string{"a"}) {
		t.Errorf("rows %v, twice %q", d.row, d.twice)
	}
	got, err := written(d.lines[4], permissions{ours: []string{"b", "games"}, third: []string{"example.org/x"}})
	if want := "| `a` | one | b, games | example.org/x |"; err != nil || got != want {
		t.Errorf("got %q, error %v, want %q", got, err, want)
	}
	if _, err := written("| `a` | one |", permissions{}); err == nil {
		t.Error("a row of two columns was accepted")
	}
}
