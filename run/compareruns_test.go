package run

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"kroo/datasets"
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/testkit"
	"kroo/regress"
)

// changed is the tiny run with other text in place of some.
func changed(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(tiny) }

// TestComparedRunsPartWhereTheSettingSaysSo changes one setting of each run.
func TestComparedRunsPartWhereTheSettingSaysSo(t *testing.T) {
	base, _ := finished(t, tiny)
	same, _ := finished(t, changed("workers = 2", "workers = 1"))
	ridge, _ := finished(t, changed("ridge = 0.0", "ridge = 0.5"))
	book, _ := finished(t, changed("expansions = 12", "expansions = 13"))
	c := testkit.Must(CompareRuns(t.Context(), []string{base.Dir, same.Dir, ridge.Dir, book.Dir}))(t)
	var settings []string
	for _, s := range c.Settings {
		settings = append(settings, s.Name+" "+strings.Join(s.Values, " "))
	}
	testkit.EqualSlices(t, settings, []string{"book.expansions 12 12 12 13", "fit.ridge 0 0 0.5 0"}, "settings")
	for _, s := range c.Stages {
		want := "AAAA"
		switch {
		case slices.Contains([]string{"fit", "weights against captures", "weights against the program's own"}, s.Title):
			want = "AACA"
		case s.Title == "book" || s.Title == "book against no book":
			want = "AACD"
		}
		testkit.Equal(t, strings.Join(s.Same, ""), want, "stage %s", s.Title)
	}
	testkit.Contains(t, c.Doc().Text(""), "B has the results of A in all stages.", "C differs from A from this stage on: fit.", "D differs from A from this stage on: book.",
		"match --a "+filepath.Join(ridge.Dir, weightsFile)+" --b "+filepath.Join(base.Dir, weightsFile), "--sprt 0,10")
	if text := c.Doc().Text(""); strings.Contains(text, "B against A") || !strings.Contains(text, "the same errors") {
		t.Errorf("a match of equal weights is suggested:\n%s", text)
	}
	testkit.Equal(t, len(c.Matches), 4*3, "matches")
	c.runs[2].manifest.Tool = "another"
	testkit.Contains(t, c.Doc().Text(""), "Another build of the program made C.")
	testkit.Equal(t, len(c.Boards), 1, "sets of validation boards")
	checkPaired(t, c.Boards[0], base, ridge)
}

// checkPaired compares the errors of runs 0 and 2 with sums of weights times the columns of the features.
func checkPaired(t *testing.T, got BoardsOf, a, b *Run) {
	t.Helper()
	_, training, err := datasets.Read(oware.Descriptor(), a.path(featuresFile), datasets.Features)
	testkit.NoError(t, err)
	known := map[int64]bool{}
	for _, row := range training {
		known[datasets.SituationOf(oware.Descriptor(), row.Position)] = true
	}
	meta, rows, err := datasets.Read(oware.Descriptor(), a.path(featuresValidation), datasets.Features)
	testkit.NoError(t, err)
	misses := func(r *Run, row datasets.Row[oware.Position]) float64 {
		w := testkit.Must(owarefeatures.Sets.Load(r.path(weightsFile)))(t).Named
		sum := -row.Label
		for k, name := range w.Features {
			j := slices.Index(meta.Features, name)
			sum += w.Points[k] * (float64(row.Own[j]) - float64(row.Opp[j]))
		}
		return math.Abs(sum)
	}
	n := 0
	first := 0.0
	difference := 0.0
	for _, row := range rows {
		if known[datasets.SituationOf(oware.Descriptor(), row.Position)] {
			continue
		}
		n++
		first += misses(a, row)
		difference += misses(b, row) - misses(a, row)
	}
	e := got.Evaluations
	if got.Rows != n || math.Abs(e[0].MAE-first/float64(n)) > 1e-9 || math.Abs(e[2].Difference-difference/float64(n)) > 1e-9 || e[1].Difference != 0 || e[2].DifferenceErr <= 0 {
		t.Errorf("%+v: want %d rows, error %g, difference %g", got, n, first/float64(n), difference/float64(n))
	}
	fit, err := resultOf[struct {
		Selected struct {
			Validation struct{ MAE float64 }
		}
	}](a.manifest, "fit")
	testkit.NoError(t, err)
	if math.Abs(fit.Selected.Validation.MAE-e[0].MAE) > 1e-9 {
		t.Errorf("error %g: the fit has %g", e[0].MAE, fit.Selected.Validation.MAE)
	}
}

// The number of a final is its place in the configuration: the same match has another in another run.
func TestFinalsAreComparedByTheirOpponent(t *testing.T) {
	final := tinyRounds[strings.Index(tinyRounds, "[[final]]"):]
	against := func(opponent string) string { return strings.Replace(final, "thesis4", opponent, 1) + "\n" }
	rounds := strings.TrimSuffix(tinyRounds, final)
	one := begun(t, rounds+against("captures")+against("thesis4"))
	other := begun(t, rounds+against("thesis4"))
	one.manifest.Stages = []StageRecord{{Name: finalName(0), Key: "c"}, {Name: finalName(1), Key: "t"}}
	other.manifest.Stages = []StageRecord{{Name: finalName(0), Key: "t"}}
	c := Comparison{runs: []*results{{Run: one}, {Run: other}}, letters: []string{"A", "B"}}
	c.addStages()
	same := map[string]string{}
	for _, s := range c.Stages {
		same[s.Title] = strings.Join(s.Same, " ")
	}
	testkit.Equal(t, same["champion against captures"], "A ", "the final against captures")
	testkit.Equal(t, same["champion against thesis4"], "A A", "the final against thesis4")
}

// Runs that are not finished are compared as far as they are.
func TestUnfinishedRunsAreCompared(t *testing.T) {
	one := stopped(t, tiny, "training labels", 3)
	other, _ := finished(t, changed("seed = 3", "seed = 4"))
	text := testkit.Must(CompareRuns(t.Context(), []string{other.Dir, one.Dir}))(t).Doc().Text("")
	testkit.Contains(t, text, "stopped 2/12", "B differs from A from this stage on: training positions.")
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 && !strings.Contains(line, os.TempDir()) {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestOnlyRunsOfOneGameUnderTheSameRulesAreCompared(t *testing.T) {
	a := begun(t, tiny).Dir
	b := begun(t, changed(`rules = "abapa"`, `rules = "awari"`)).Dir
	_, err := CompareRuns(t.Context(), []string{a, b})
	testkit.ErrorContains(t, err, "awari", "abapa", "the same rules")
	_, err = CompareRuns(t.Context(), []string{a, t.TempDir()})
	testkit.ErrorContains(t, err, "not the folder of a run", ConfigFile)
	_, err = CompareRuns(t.Context(), []string{a})
	testkit.ErrorContains(t, err, "expected 2 to 8")
	_, err = CompareRuns(t.Context(), slices.Repeat([]string{a}, 9))
	testkit.ErrorContains(t, err, "expected 2 to 8")
}

// With boards of one game only there is no standard error: a difference says nothing.
func TestADifferenceIsJudgedByItsStandardError(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		difference, stderr float64
		want               string
	}{
		{0, 0, "the same errors"},
		{3, 0, "unknown: all boards are of one game"},
		{-1.97, 1, "better than A"},
		{1.97, 1, "worse than A"},
		{1.95, 1, "within noise"},
	} {
		testkit.Equal(t, verdict(regress.Paired{Difference: c.difference, DifferenceErr: c.stderr}), c.want, "%+v", c)
	}
}
