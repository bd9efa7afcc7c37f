package sampler

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/datasets"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

func newTestSet(t *testing.T) *orbitSet {
	s := testkit.Must(newOrbitSet())(t)
	t.Cleanup(func() { testkit.NoError(t, s.release()) })
	return s
}

// Hashes spread evenly, and hashes that crowd at either end, as a hostile file could have them.
func TestAnOrbitSetIsASetOfNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, draw := range map[string]func() uint64{
		"few":     func() uint64 { return rng.Uint64N(100_000) * 0x9e37_79b9_7f4a_7c15 },
		"any":     rng.Uint64,
		"highest": func() uint64 { return math.MaxUint64 - rng.Uint64N(30_000) },
		"lowest":  func() uint64 { return rng.Uint64N(30_000) },
	} {
		s, slow := newTestSet(t), map[uint64]bool{}
		for range 20_000 {
			h := draw()
			isNew := testkit.Must(s.addHash(h))(t)
			if isNew == slow[h] {
				t.Fatalf("%s: %d is new: %t, want %t", name, h, isNew, !slow[h])
			}
			slow[h] = true
		}
		sorted := slices.Collect(s.hashes(0))
		if s.hasZero {
			sorted = append(sorted, 0)
		}
		if len(sorted) != len(slow) {
			t.Errorf("%s: %d hashes of %d", name, len(sorted), len(slow))
		}
	}
}

func TestAnOrbitTakesAtMostTwelveBytes(t *testing.T) {
	const n = 3_000_000
	s := newTestSet(t)
	for orbit := range int64(n) {
		if isNew := testkit.Must(s.add(orbit))(t); !isNew {
			t.Fatalf("%d is not new", orbit)
		}
		if bytes := s.slots() * slotBytes; s.used > n/10 && bytes > 12*s.used {
			t.Fatalf("%d orbits take %d bytes: want 12 each", s.used, bytes)
		}
	}
	for orbit := int64(0); orbit < n; orbit += 97 {
		if isNew := testkit.Must(s.add(orbit))(t); isNew {
			t.Fatalf("%d is new again", orbit)
		}
	}
}

// numbered is a stream of rows of these games, all of different orbits up to the 48th, with an error
// at the end if there is one.
func numbered(err error, games ...int32) stream[oware.Position] {
	return func(yield func(datasets.Row[oware.Position], error) bool) {
		for i, game := range games {
			p, _ := oware.Unrank(oware.Abapa, int64(i), oware.South)
			if !yield(datasets.Row[oware.Position]{Position: p, Game: game}, nil) {
				return
			}
		}
		if err != nil {
			yield(datasets.Row[oware.Position]{}, err)
		}
	}
}

// gamesOf returns the games of the rows of a stream, and its error.
func gamesOf(in stream[oware.Position]) (list []int32, err error) {
	for d, err := range in {
		if err != nil {
			return list, err
		}
		list = append(list, d.Game)
	}
	return list, nil
}

var errTest = errors.New("test")

func TestTakeStopsAfterItsRows(t *testing.T) {
	asked := 0
	counting := func(yield func(datasets.Row[oware.Position], error) bool) {
		asked++
		numbered(errTest, 1, 2, 3)(yield)
	}
	for n := range 5 {
		got, err := gamesOf(take(counting, n))
		testkit.EqualSlices(t, got, []int32{1, 2, 3}[:min(n, 3)], "take %d", n)
		if wantErr := n > 3; errors.Is(err, errTest) != wantErr {
			t.Errorf("take %d: error %v", n, err)
		}
	}
	testkit.Equal(t, asked, 4, "streams begun (none to take 0 rows)")
}

func TestDistinctYieldsEachOrbitOnce(t *testing.T) {
	g, seen, repeated := oware.Descriptor(), newTestSet(t), int64(0)
	first := testkit.Must(gamesOf(distinct(g, numbered(nil, 1, 2), seen, &repeated, math.MaxInt)))(t)
	testkit.EqualSlices(t, first, []int32{1, 2}, "a stream of two orbits")
	more, err := gamesOf(distinct(g, numbered(errTest, 3, 4, 5), seen, &repeated, math.MaxInt))
	testkit.EqualSlices(t, more, []int32{5}, "a stream of these and a third")
	testkit.Equal(t, repeated, 2, "repeats")
	if !errors.Is(err, errTest) {
		t.Errorf("error %v", err)
	}
	rest, err := gamesOf(distinct(g, numbered(errTest, 6, 7, 8, 9), seen, &repeated, 3))
	if len(rest) > 0 || err != nil || repeated != 5 {
		t.Errorf("games %v, error %v, %d repeats: want an end after three repeats in a row", rest, err, repeated)
	}
}

func TestChainNumbersGamesThroughout(t *testing.T) {
	got := testkit.Must(gamesOf(chain([]stream[oware.Position]{
		numbered(nil, 1, 1, 2), numbered(nil, 0), numbered(nil), numbered(nil, 1, 3),
	})))(t)
	testkit.EqualSlices(t, got, []int32{1, 1, 2, 0, 3, 5}, "games")
	if got, err := gamesOf(chain([]stream[oware.Position]{numbered(errTest, 1), numbered(nil, 1)})); len(got) != 1 || !errors.Is(err, errTest) {
		t.Errorf("games %v, error %v: want the first stream's error at the end", got, err)
	}
}
