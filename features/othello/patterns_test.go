package othello

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/features"
	"kroo/games/gametest"
	"kroo/games/othello"
	"kroo/internal/testkit"
)

// all is a spec with all families.
const all = "rows/3+diagonals/3+corners/2+mobility/4"

func patternsOf(t testing.TB, r othello.Rules, spec string) *patternSet {
	t.Helper()
	return testkit.Must(parsePatterns(r, spec))(t)
}

// randomModel has random weights in every column.
func randomModel(t testing.TB, r othello.Rules, spec string) *Model {
	t.Helper()
	s, rng := patternsOf(t, r, spec), rand.New(rand.NewPCG(9, uint64(r)))
	w := make([]float64, s.Len())
	for i := range w {
		w[i] = rng.NormFloat64() * 20
	}
	return testkit.Must(PatternSets.NewModel(r.String(), s, w, features.Provenance{Tool: "test"}))(t)
}

// slowColumns reads the squares of a kind's first place in all eight images of the board, which
// visits every place equally often.
func slowColumns(k *kind, p othello.Position) (columns []uint32) {
	mine, theirs := p.Discs()
	for s := range othello.Symmetries {
		own, opp := othello.Symmetry(s, mine), othello.Symmetry(s, theirs)
		content, power := 0, 1
		for _, at := range k.cells {
			content += power * int(own>>at&1+2*(opp>>at&1))
			power *= 3
		}
		columns = append(columns, k.column[content])
	}
	slices.Sort(columns)
	return columns
}

func TestPlacesAreTheImagesOfTheFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for r := othello.Large; r <= othello.Small; r++ {
		families := familiesOf(r)
		for range 200 {
			p, _ := gametest.RandomGame(rng, othello.Start(r), rng.IntN(64))
			mine, theirs := p.Discs()
			own, opp := viewOf(mine), viewOf(theirs)
			for _, f := range families {
				for _, k := range f.kinds {
					var got []uint32
					for i := range k.places {
						for range othello.Symmetries / len(k.places) {
							got = append(got, k.column[k.places[i].index(&own, &opp)])
						}
					}
					slices.Sort(got)
					if want := slowColumns(k, p); !slices.Equal(got, want) {
						t.Fatalf("%s of %s: columns %v, want %v", k.name, p, got, want)
					}
				}
			}
		}
	}
}

func TestContentsShareAColumnOnlyWithTheirMirrorImage(t *testing.T) {
	for _, k := range append(cornerKinds(othello.Large), rowKinds(othello.Small)...) {
		times := make([]int, len(k.first))
		for content, column := range k.column {
			times[column]++
			if m := k.mirrored(content); k.column[m] != column || k.mirrored(m) != content || k.first[column] != min(content, m) {
				t.Fatalf("%s: content %d, mirrored %d, column %d of %d", k.name, content, m, column, k.first[column])
			}
		}
		if slices.Max(times) != 2 || slices.Min(times) != 1 {
			t.Errorf("%s: columns have %d to %d contents, want 1 or 2", k.name, slices.Min(times), slices.Max(times))
		}
	}
}

func TestNumbersOfColumns(t *testing.T) {
	// n squares have (3^n + 3^ceil(n/2))/2 contents up to reversal; reflecting a corner fixes three
	// squares.
	for spec, want := range map[string]int{
		"rows": 4 * (6561 + 81) / 2, "diagonals": (6561+81+2187+81+729+27+243+27+81+9)/2 + 0,
		"corners": (19683 + 729) / 2, "mobility/2": 100, "corners/4": 2 * (19683 + 729),
	} {
		testkit.Equal(t, patternsOf(t, othello.Large, spec).Len(), want, "%s", spec)
	}
}

// position has discs of the side to move and of the other one.
func position(t *testing.T, toMove othello.Side, own, opp uint64) othello.Position {
	t.Helper()
	signs := [2]byte{'X', 'O'}
	board := bytes.Repeat([]byte{'.'}, 64)
	for i := range board {
		switch {
		case own>>i&1 != 0:
			board[i] = signs[toMove]
		case opp>>i&1 != 0:
			board[i] = signs[1-toMove]
		}
	}
	return testkit.Must(othello.ParseBoard(othello.Large, string(append(board, '-', signs[toMove]))))(t)
}

func TestImagesAndColoursHaveOneRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	s := patternsOf(t, othello.Large, all)
	for range 100 {
		p, _ := gametest.RandomGame(rng, othello.Start(othello.Large), rng.IntN(58))
		want, _ := s.AppendRow(nil, nil, p)
		own, opp := p.Discs()
		for k := range othello.Symmetries {
			q := position(t, othello.Side(k%2), othello.Symmetry(k, own), othello.Symmetry(k, opp))
			got, _ := s.AppendRow(nil, nil, q)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("%s and its image %d differ", p, k)
			}
		}
	}
}

func TestPatternsAreTheFittedFunction(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 6))
	for r := othello.Large; r <= othello.Small; r++ {
		for _, spec := range []string{all, "rows", "corners/6", "rows/3+corners", "mobility"} {
			m := randomModel(t, r, spec)
			e := Compile(m)
			for range 200 {
				p, _ := gametest.RandomGame(rng, othello.Start(r), rng.IntN(64))
				if got, want := float64(e.Evaluate(p)), m.Exact(p)*6.4; math.Abs(got-want) > 0.6 {
					t.Fatalf("%s, %s: %g hundredths, want %g", spec, p, got, want)
				}
			}
		}
	}
}

func TestStagesAreEquallyWide(t *testing.T) {
	counts := map[int]int{}
	p := othello.Start(othello.Large)
	for discs := 0; discs <= 64; discs++ {
		counts[stageOf(position(t, othello.Dark, uint64(1)<<discs-1, 0), 4)]++
	}
	if stageOf(p, 4) != 0 || len(counts) != 4 || counts[0] != 17 || counts[3] != 16 {
		t.Errorf("discs by stage %v", counts)
	}
}

func TestColumnNames(t *testing.T) {
	s := patternsOf(t, othello.Large, "rows/2+mobility")
	for column, want := range map[int]string{
		0:           "rows row 1 ........ stage 1 of 2",
		1:           "rows row 1 X....... stage 1 of 2",
		2:           "rows row 1 O....... stage 1 of 2",
		3321:        "rows row 2 ........ stage 1 of 2",
		4 * 3321:    "rows row 1 ........ stage 2 of 2",
		8*3321 + 3:  "mobility own moves 3",
		s.Len() - 1: "mobility other moves 24",
	} {
		testkit.Equal(t, s.ColumnName(column), want, "column %d", column)
	}
}

func TestSpecsAreRefused(t *testing.T) {
	for spec, want := range map[string]string{
		"": "is not a family", "rows+rows": "once", "rows/7": "2 to 6", "rows/1": "2 to 6", "pairs": "rows, diagonals", "rows+": "is not a family",
	} {
		_, err := parsePatterns(othello.Large, spec)
		testkit.Refused(t, err, want)
	}
	testkit.Equal(t, patternsOf(t, othello.Large, "mobility+rows/2").String(), "rows/2+mobility", "canonical spec")
}

func TestPatternsAllocateNothing(t *testing.T) {
	m := randomModel(t, othello.Large, all)
	e, p, sum := Compile(m), othello.Start(othello.Large).Play(19), 0
	ones := make([]uint32, 0, 64)
	if n := testing.AllocsPerRun(100, func() {
		sum += e.Evaluate(p)
		ones, _ = m.Set.AppendRow(ones[:0], nil, p)
	}); n != 0 || sum == 0 {
		t.Errorf("%v allocations, sum %d", n, sum)
	}
}

func BenchmarkEvaluate(b *testing.B) {
	rng := rand.New(rand.NewPCG(4, 6))
	ps := gametest.RandomPositions(b, othello.Descriptor(), rng, "8x8", 1024)
	m := randomModel(b, othello.Large, "rows/4+diagonals/4+corners/4+mobility/4")
	for name, e := range map[string]interface{ Evaluate(othello.Position) int }{
		"squares": Figure3Squares(), "patterns": Compile(m), "patterns without mobility": Compile(randomModel(b, othello.Large, "rows/4+diagonals/4+corners/4")),
	} {
		b.Run(name, func(b *testing.B) {
			sum, i := 0, 0
			for b.Loop() {
				sum += e.Evaluate(ps[i&1023])
				i++
			}
			if sum == 1 {
				b.Log(sum)
			}
		})
	}
}
