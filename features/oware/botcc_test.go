//go:build cc

package oware

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// A bot's C++ agrees with the Go evaluation of the same tables, except for rounding in the text and
// the clipping of the largest one per mille of triples.
func TestBotSourceEvaluatesLikeItsTables(t *testing.T) {
	const most = 40 // centi-seeds: 66 pairs and 12 triples, each rounded
	e := testkit.Must(Default("abapa"))(t)
	c := e.makeBot()
	dir := t.TempDir()
	source, program := filepath.Join(dir, "bot.cpp"), filepath.Join(dir, "bot")
	var text, input bytes.Buffer
	testkit.NoError(t, e.writeBot(&text))
	testkit.NoError(t, os.WriteFile(source, text.Bytes(), 0o644))
	if out, err := exec.Command("g++", "-std=c++17", "-O1", "-DKROO_EVALUATE", "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("%v: %.2000s", err, out)
	}
	var want []int
	for _, p := range randomPositions(t, 500) {
		if p.Store() > 24 || p.OpponentStore() > 24 {
			continue // the game is over
		}
		own, opp := p.Words()
		for i := range 14 {
			w := own
			if i >= 7 {
				w = opp
			}
			fmt.Fprint(&input, w>>(8*(i%7))&63, " ")
		}
		want = append(want, c.evaluate(p)/botUnit)
	}
	run := exec.Command(program)
	run.Stdin = &input
	out, err := run.Output()
	got := strings.Fields(string(out))
	if err != nil || len(got) != len(want) || len(want) < 100 {
		t.Fatalf("%d values for %d positions, error %v", len(got), len(want), err)
	}
	far := 0
	for i := range want {
		v, err := strconv.Atoi(got[i])
		miss := max(v-want[i], want[i]-v)
		if miss > most {
			far++
		}
		if err != nil || miss > 4*most {
			t.Errorf("position %d: %d, the tables say %d", i, v, want[i])
		}
	}
	if far > len(want)/25 {
		t.Errorf("%d of %d values are more than %d off", far, len(want), most)
	}
}
