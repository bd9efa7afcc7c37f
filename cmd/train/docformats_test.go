package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// The snippets of docs/formats.md compile and read the program's files as it does.
func TestSnippetsOfTheFormatsPageReadOurFiles(t *testing.T) {
	t.Parallel()
	page := testkit.Read(t, "../../docs/formats.md")
	program := `package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"github.com/klauspost/compress/zstd"

	"kroo/book"
	"kroo/endgame"
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
)
`
	for _, block := range strings.Split(string(page), "```go\n")[1:] {
		code, _, _ := strings.Cut(block, "```")
		program += "\n" + code
	}
	program += comparison
	dir := t.TempDir()
	good(t, dir, "endgame", "build", "--seeds", "5", "-o", ".")
	good(t, dir, "endgame", "build", "--rules", "awari", "--seeds", "5", "-o", ".")
	good(t, dir, "book", "expand", "--nodes", "300", "--expansions", "20", "-o", "b.bin")
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o600))
	cmd := exec.Command("go", "run", filepath.Join(dir, "main.go"), dir)
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "equal\n" {
		t.Errorf("%v, %s", err, out)
	}
}

// comparison is the rest of the program around the snippets.
const comparison = `
func main() {
	dir := os.Args[1] + "/"
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		p, _ := oware.Unrank(oware.Abapa, random.Int64N(oware.Ranks), oware.South)
		var board [14]int
		for i := range 12 {
			board[i] = p.House(i)
		}
		board[12], board[13] = p.Store(), p.OpponentStore()
		check(rank(board) == p.Rank() && unrank(p.Rank()) == board, p)
	}
	for _, rules := range []oware.Rules{oware.Abapa, oware.Awari} {
		name := dir + endgame.FileName(rules)
		table, err := endgame.Open(name)
		check(err == nil, err)
		for seeds := range 6 {
			for i := range endgame.Positions(seeds) {
				p := endgame.PositionAt(rules, seeds, i)
				low, high, _ := table.Probe(p)
				ours, theirs := endgameBounds(read(name), houses(p))
				check(low == ours && high == theirs, p, low, high, ours, theirs)
				if seeds == 5 && i > 300 {
					break
				}
			}
		}
	}
	values := readBook(read(dir + "b.bin"))
	b, err := book.Open(dir + "b.bin")
	check(err == nil, err)
	check(len(values) == b.Len() && len(values) > 10, len(values))
	for _, e := range b.Entries() {
		check(values[e.Key] == e.Scores, e)
	}
	for _, rules := range []oware.Rules{oware.Abapa, oware.Awari} {
		e, err := owarefeatures.Default(rules.String())
		check(err == nil, err)
		name := map[oware.Rules]string{oware.Abapa: "default", oware.Awari: "default-awari"}[rules]
		twin := readWeights(read("features/oware/" + name + ".weights"))
		for range 2000 {
			p, _ := oware.Unrank(rules, random.Int64N(oware.Ranks), oware.South)
			check(e.Evaluate(p) == twin.value(houses(p), p.Store(), p.OpponentStore()), p, e.Evaluate(p), twin.value(houses(p), p.Store(), p.OpponentStore()))
		}
	}
	println("equal")
}

func houses(p oware.Position) (h [12]int) {
	for i := range h {
		h[i] = p.House(i)
	}
	return h
}

func read(name string) []byte {
	data, err := os.ReadFile(name)
	check(err == nil, err)
	return data
}

func check(ok bool, args ...any) {
	if !ok {
		panic(fmt.Sprint(args...))
	}
}
`
