package run

import (
	"cmp"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kroo/datasets"
	"kroo/engine"
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/agreement"
	"kroo/internal/outline"
	"kroo/internal/testkit"
	"kroo/match"
	"kroo/match/elo"
	"kroo/regress"
	"kroo/sampler"
)

// Pairs of games whose leads are clear, and not: +70 [+8, +138], -70, +35 [-31, +103].
var (
	clearlyWon  = [5]int{5, 5, 20, 5, 15}
	clearlyLost = [5]int{15, 5, 20, 5, 5}
	notClear    = [5]int{8, 5, 19, 5, 13}
)

func playedOf(name string, pairs [5]int, bookMoves int) played {
	p := &results{Run: &Run{manifest: &Manifest{}}}
	sum, _ := json.Marshal(match.Summary{Score: elo.ScoreOfPairs(pairs), BookMoves: bookMoves})
	p.manifest.Stages = []StageRecord{{Name: name, Result: sum}}
	p.addMatch(stage{name: name, match: &match.Config{}})
	return p.matches[0]
}

func TestAMatchIsInconclusiveIfItsIntervalReachesZero(t *testing.T) {
	for pairs, want := range map[[5]int]bool{
		clearlyWon: true, clearlyLost: true, notClear: false, {0, 0, 10, 0, 0}: false, {0, 0, 0, 0, 10}: true, {0, 0, 0, 0, 2}: false, {10, 0, 0, 0, 0}: true,
	} {
		testkit.Equal(t, isClear(elo.ScoreOfPairs(pairs)), want, "%v", pairs)
	}
}

func TestFewBookMovesDoNotExplainAMatch(t *testing.T) {
	few, many := playedOf(bookPlayStage, clearlyWon, 67), playedOf(bookPlayStage, clearlyWon, 200)
	if fact := few.fact(); fact.Value != "inconclusive" || !strings.Contains(fact.Note, "+70 [+8, +138] Elo") || !strings.Contains(fact.Note, "the book chose 67 moves in 100 games") || !strings.Contains(few.notes, "at least 2 per game") {
		t.Errorf("67 book moves: %q, %q", fact, few.notes)
	}
	if fact := many.fact(); fact.Value != "60 % of the points" || !many.clear || strings.Contains(many.notes, "too few") {
		t.Errorf("200 book moves: %q", fact)
	}
	testkit.Equal(t, playedOf(bookPlayStage, notClear, 200).clear, false, "a small lead")
}

// Each board is in the first kind that fits, and the errors of the kinds add up to the error of all.
func TestKindsOfBoardsAddUp(t *testing.T) {
	m, _ := owarefeatures.FindPublished("thesis")
	r := &results{model: m}
	var drawn []datasets.Row[oware.Position]
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 200 {
		p := testkit.Must(oware.Unrank(oware.Abapa, random.Int64N(oware.Ranks), oware.South))(t)
		drawn = append(drawn, datasets.Row[oware.Position]{Position: p, Label: float64(i*10 - 1000)})
	}
	r.judge(drawn)
	var table *outline.Table
	for _, section := range r.errorSections() {
		table = cmp.Or(section.Table, table)
	}
	boards, sum := 0, 0.0
	last := table.Rows[len(table.Rows)-1]
	for _, row := range table.Rows[:len(table.Rows)-1] {
		n := testkit.Must(strconv.Atoi(row[1]))(t)
		boards += n
		sum += float64(n) * testkit.Must(strconv.ParseFloat(row[3], 64))(t)
	}
	mean := testkit.Must(strconv.ParseFloat(last[3], 64))(t)
	if table.Rows[0][1] != "1" || boards != 200 || last[1] != "200" || math.Abs(sum/200-mean) > 0.01 {
		t.Errorf("%q: %d boards with a mean error of %v", table.Rows, boards, sum/200)
	}
}

// Whatever the preset, the published figures stand next to a fit of the same features.
func TestPublishedFiguresAreNextToTheSameFeatures(t *testing.T) {
	names := func(set string) []string {
		s := testkit.Must(owarefeatures.Sets.ByName(set))(t)
		return s.Names()
	}
	model := func(set string, r float64) regress.ModelSummary {
		m := regress.ModelSummary{Features: names(set), Points: make([]float64, len(names(set)))}
		m.Train.R = r
		return m
	}
	s := regress.Summary{Full: model("thesis", 0.86), Selected: model("thesis4", 0.85)}
	s.Full.Train.R2 = 0.75
	next := func() []outline.Section { return (&results{Run: &Run{Config: &Config{}}, fit: &s}).nextToThesis() }
	sections := next()
	if len(sections) != 3 {
		t.Fatalf("%d sections, expected a text and two tables", len(sections))
	}
	for i, want := range [][]string{{"R, training", "0.8149", "0.8600", "–", "+0.0451"}, {"R, training", "0.8086", "0.8500", "–", "+0.0414"}} {
		if rows := sections[i+1].Table.Rows; !slices.ContainsFunc(rows, func(row []string) bool { return slices.Equal(row, want) }) {
			t.Errorf("%q is not in %q", want, rows)
		}
	}
	if rows, want := sections[1].Table.Rows, []string{"R², training", "0.6641", "0.7500", "–", "+0.0859"}; !slices.ContainsFunc(rows, func(row []string) bool { return slices.Equal(row, want) }) {
		t.Errorf("%q is not in %q", want, rows)
	}
	s.Full, s.Selected = model("wide", 0.9), model("captures", 0.7)
	if sections := next(); sections != nil {
		t.Errorf("other features are next to the thesis's: %v", sections)
	}
}

// What the places of a board are worth adds up to what the weights say of it.
func TestWorthOfPlacesAddsUp(t *testing.T) {
	m, ok := owarefeatures.FindPublished("thesis")
	if !ok {
		t.Fatal("no published weights")
	}
	random := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		p := testkit.Must(oware.Unrank(oware.Abapa, random.Int64N(oware.Ranks), oware.Side(random.IntN(2))))(t)
		sum := 0.0
		points, rest := sharesOf(m, p)
		testkit.Equal(t, len(rest), 0, "parts of no place")
		for _, side := range points {
			for _, points := range side {
				sum += points
			}
		}
		if want := m.Exact(p); math.Abs(sum-want) > 1e-9 {
			t.Fatalf("%s: the places are worth %v, the weights say %v", p, sum, want)
		}
	}
}

// A house with as many seeds is worth the same on every board, also where both sides have as many such houses.
func TestHousesWithTheSameSeedsAreWorthTheSame(t *testing.T) {
	m, ok := owarefeatures.FindPublished("thesis")
	if !ok {
		t.Fatal("no published weights")
	}
	worth := map[int]float64{}
	random := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		p := testkit.Must(oware.Unrank(oware.Abapa, random.Int64N(oware.Ranks), oware.South))(t)
		points, _ := sharesOf(m, p)
		for h := range oware.Houses {
			seeds := p.House(h)
			want, seen := worth[seeds]
			if seen && math.Abs(points[0][h]-want) > 1e-9 {
				t.Fatalf("%s: house %d with %d seeds is worth %v points, on another board %v", p, h, seeds, points[0][h], want)
			}
			worth[seeds] = points[0][h]
		}
	}
	if worth[0] == 0 || worth[0] == worth[6] {
		t.Errorf("an empty house is worth %v points, one with 6 seeds %v", worth[0], worth[6])
	}
}

// The example has the median error in seeds, however the errors in winning chance are sorted.
func TestHalfOfTheBoardsHaveLargerErrorsThanTheExample(t *testing.T) {
	var rows []judged
	for i, missed := range []float64{300, 10, 500, 20, 400} {
		rows = append(rows, judged{predicted: missed, chance: float64(5 - i)})
	}
	testkit.Equal(t, medianError(rows).pointError(), 300, "error of the example")
	testkit.Equal(t, rows[1].pointError(), 10, "the second row, which is not moved")
}

func TestAMeanFarAboveTheMedianIsExplained(t *testing.T) {
	rows := []judged{{chance: 40}, {chance: 20}, {chance: 2}, {chance: 1}, {chance: 0}}
	text := strings.Join(medianText(rows, 12.6), "")
	testkit.Contains(t, text, "The mean error is 12.6 % of winning chance, the median only 2.0 %", "40 % of the boards")
	testkit.Equal(t, len(medianText(rows, 3)), 0, "texts for a median near the mean")
}

func TestAHigherCorrelationInValidationIsExplained(t *testing.T) {
	training := agreement.Doubled{R: 0.85, R2: 0.75, RMSE: 4 * oware.Descriptor().PointsPerUnit()}
	validation := agreement.Doubled{R: 0.9, R2: 0.84, RMSE: 4 * oware.Descriptor().PointsPerUnit()}
	text := strings.Join(correlationText(training, validation), "")
	testkit.Contains(t, text, "(0.900)", "(0.850)", "standard deviation 10.0 and 8.0 seeds", "4.0 seeds here and 4.0 in training")
	testkit.Equal(t, len(correlationText(validation, training)), 0, "texts for a lower one")
}

// The value of a card is one number; others are in its note.
func TestTheMeanErrorIsOneNumber(t *testing.T) {
	m, _ := owarefeatures.FindPublished("thesis")
	p := &results{Run: &Run{}, fit: &regress.Summary{}, model: m}
	testkit.Equal(t, p.errorFact().Value, "0.00 seeds of score", "without a calibration")
	e := testkit.Must(owarefeatures.Default("abapa"))(t)
	p.calibration = e.Header().Calibration
	start := oware.Start(oware.Abapa)
	p.judge([]datasets.Row[oware.Position]{{Position: start, Label: p.model.Exact(start)}})
	f := p.errorFact()
	testkit.Equal(t, f.Name+": "+f.Value, "mean error in winning chance: 0 %", "with one")
	testkit.Equal(t, f.Note, "on the validation sample; 0.00 seeds of score, captures alone 0.00 seeds of score", "its note")
}

func TestLabelsAreRepeatableOrNot(t *testing.T) {
	byTime := timed(20 * time.Millisecond)
	for want, l := range map[string]labelling{
		"nodes 30000, default tables: per search; repeatable: the same command gives the same labels, to the byte, on any machine":                                       {search: engine.Config{Nodes: 30000}},
		"nodes 100, 2 threads, default tables: per search; not repeatable: 2 threads give other labels each time":                                                        {search: engine.Config{Nodes: 100, Threads: 2}},
		"movetime 20ms, default tables: per search; not repeatable: labels depend on the machine and its load":                                                           {search: byTime},
		"movetime 20ms, default tables: per search; not repeatable: labels depend on the machine and its load; of positions searched 4 times, 38 % got different labels": {search: byTime, nodes: 23456, noise: &sampler.Noise{Repeats: 4, Changed: 0.3816}},
	} {
		f := l.fact()
		testkit.Equal(t, strings.ReplaceAll(f.Value+": "+f.Note, "\u00a0", " "), want, "limit of labels")
	}
}

// The list of the figures has their titles, which may have a colon, without what follows them.
func TestFiguresAreListedByTheirTitles(t *testing.T) {
	for alt, want := range map[string]string{
		"The largest error: a capture: 0-2-1-5-10-2-11-1-1-0-7-0-0-8-S. South to move.":    "The largest error: a capture",
		"Elo of the matches. weights against captures: +500 [+411, +672].":                 "Elo of the matches",
		"The opening book as a tree: South's winning chances; thicker lines lead to more.": "The opening book as a tree",
	} {
		testkit.Equal(t, titleOf(outline.Figure{Alt: alt}), want, "title")
	}
}
