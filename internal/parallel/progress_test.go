package parallel

import (
	"fmt"
	"slices"
	"testing"
)

func told(to *[]string) Progress {
	return func(done, total int64, note string) { *to = append(*to, fmt.Sprint(done, "/", total, note)) }
}

// A nil Progress does nothing, and so does everything derived from it.
func TestNilProgressDoesNothing(t *testing.T) {
	var p Progress
	p.At(1, 2)
	p.Note(1, 2, "so far")
	p.Part(1, 2).At(1, 2)
	tally := p.Tally(1, 2)
	tally.Pass().At(1, 1)
	tally.End()
}

// Parts, goroutines and passes add up to one count, whose total is never less than the work
// done.
func TestProgressAddsUp(t *testing.T) {
	var got []string
	told(&got).Part(1, 3).Note(2, 10, " so far")
	tally := told(&got).Tally(2, 8)
	pass := tally.Pass()
	for _, done := range []int64{0, 3, 4} {
		pass.At(done, 4)
	}
	tally.Pass().At(4, 4)
	tally.Pass().At(1, 1)
	tally.End()
	want := []string{"12/30 so far", "2/8", "2/8", "5/8", "6/8", "10/10", "11/11", "11/11"}
	if !slices.Equal(got, want) {
		t.Errorf("reported %q, want %q", got, want)
	}
	got = nil
	tally = told(&got).Tally(0, 200)
	For(4, 100, func(_, _ int) { tally.Add(1) })
	if tally.End(); len(got) != 102 || got[100] != "100/200" || got[101] != "200/200" {
		t.Errorf("reported %d times, at the end %q", len(got), got[max(len(got)-2, 0):])
	}
}
