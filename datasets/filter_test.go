package datasets

import (
	"slices"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

func FuzzWhere(f *testing.F) {
	columns := []Column{{Name: "phase", Type: NumberField}, {Name: "exact", Type: TruthField}, {Name: "best", Type: TextField},
		{Name: "own_captures", Type: NumberField}, {Name: "opp_captures", Type: NumberField}, {Name: "own_lt_1", Type: NumberField}, {Name: "opp_lt_1", Type: NumberField}}
	f.Add("phase>=20, exact=true,best!=F")
	f.Add("=<!>,phase<,")
	f.Add("captures - <1 > -2.5e3 or (best='F' and not=1)")
	f.Fuzz(func(t *testing.T, text string) {
		w, err := parseFilter(text, columns, []string{"captures", "<1"})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "filter ") {
				t.Errorf("error %v", err)
			}
			return
		}
		rows := w.matching(2, func(int) []float64 { return []float64{1, 0} }, func(int) []string { return []string{"A", ""} })
		w.possible(func(int) (low, high float64, known bool) { return 0, 1, true })
		for _, row := range rows {
			if row != 0 && row != 1 {
				t.Errorf("row %d of 2", row)
			}
		}
	})
}

// Each filter, with its meaning in Go.
func TestFiltersSelectTheMatchingRows(t *testing.T) {
	const phase, exact, best, own, opp, ownLess, oppLess = 0, 1, 2, 3, 4, 5, 6
	columns := []Column{
		{Name: "phase", Type: NumberField}, {Name: "exact", Type: TruthField}, {Name: "best", Type: TextField},
		{Name: "own_captures", Type: NumberField}, {Name: "opp_captures", Type: NumberField},
		{Name: "own_lt_1", Type: NumberField}, {Name: "opp_lt_1", Type: NumberField},
	}
	texts := []string{"", "A", "F", "or B"}
	for filter, want := range map[string]func(v []float64) bool{
		"":                              func(v []float64) bool { return true },
		"phase>=2":                      func(v []float64) bool { return v[phase] >= 2 },
		"phase>=2, exact=true":          func(v []float64) bool { return v[phase] >= 2 && v[exact] == 1 },
		"exact!=true and phase<3":       func(v []float64) bool { return v[exact] == 0 && v[phase] < 3 },
		"false = exact":                 func(v []float64) bool { return v[exact] == 0 },
		"captures>1":                    func(v []float64) bool { return v[own]-v[opp] > 1 },
		"own_captures - opp_captures>1": func(v []float64) bool { return v[own]-v[opp] > 1 },
		"<1<0":                          func(v []float64) bool { return v[ownLess] < v[oppLess] },
		"lt_1<0":                        func(v []float64) bool { return v[ownLess] < v[oppLess] },
		"captures-<1 <= -1.5e0+phase":   func(v []float64) bool { return v[own]-v[opp]-v[ownLess]+v[oppLess] <= -1.5+v[phase] },
		"-phase=-2":                     func(v []float64) bool { return v[phase] == 2 },
		"best=F":                        func(v []float64) bool { return texts[int(v[best])] == "F" },
		"best!=F,phase=1":               func(v []float64) bool { return texts[int(v[best])] != "F" && v[phase] == 1 },
		"best=":                         func(v []float64) bool { return texts[int(v[best])] == "" },
		`best="or B" or phase=0`:        func(v []float64) bool { return texts[int(v[best])] == "or B" || v[phase] == 0 },
		"phase=0 or phase=1 and best=A": func(v []float64) bool { return v[phase] == 0 || v[phase] == 1 && texts[int(v[best])] == "A" },
		"(phase=0 or phase=1) , best=A": func(v []float64) bool { return (v[phase] == 0 || v[phase] == 1) && texts[int(v[best])] == "A" },
	} {
		f, err := parseFilter(filter, columns, []string{"captures", "<1"})
		if err != nil {
			t.Errorf("%s: %v", filter, err)
			continue
		}
		values, words := make([][]float64, len(columns)), make([][]string, len(columns))
		var expected []int32
		const n = 4 * 2 * 4 * 81
		for row := range n {
			v := make([]float64, len(columns))
			for i, rest := 0, row; i < len(v); i++ {
				size := []int{4, 2, 4, 3, 3, 3, 3}[i]
				v[i], rest = float64(rest%size), rest/size
				values[i], words[i] = append(values[i], v[i]), append(words[i], texts[int(v[i])])
			}
			if want(v) {
				expected = append(expected, int32(row))
			}
			own := func(i int) (low, high float64, known bool) { return v[i], v[i], columns[i].Type != TextField }
			if want(v) && !f.possible(own) {
				t.Errorf("%s of %v: not possible", filter, v)
			}
		}
		got := f.matching(n, func(i int) []float64 { return values[i] }, func(i int) []string { return words[i] })
		if filter == "" && got == nil {
			got = expected // all
		}
		if !slices.Equal(got, expected) {
			t.Errorf("%s: %d rows: expected %d", filter, len(got), len(expected))
		}
	}
}

// Bounds exclude rows that cannot match, and no others.
func TestBoundsExcludeOnlyRowsThatCannotMatch(t *testing.T) {
	columns := []Column{{Name: "a", Type: NumberField}, {Name: "b", Type: NumberField}, {Name: "c", Type: TextField}}
	within := func(i int) (low, high float64, known bool) { // a from 2 to 5, b from 4 to 4
		return []float64{2, 4, 0}[i], []float64{5, 4, 0}[i], i < 2
	}
	for filter, want := range map[string]bool{
		"a<2": false, "a<=2": true, "a>5": false, "a>=5": true, "a=6": false, "a=5": true, "b!=4": false, "a!=4": true,
		"a-b>1": false, "a-b>=1": true, "a>b": true, "a<2 or b=4": true, "a<2 or b=5": false, "a<9, b=5": false, "c=x": true, "c=x, a=1": false,
		"-a>-2": false, "-a>=-2": true,
	} {
		f, err := parseFilter(filter, columns, nil)
		testkit.NoError(t, err)
		if got := f.possible(within); got != want {
			t.Errorf("%s: possible is %v", filter, got)
		}
	}
}

func TestRefusedFilters(t *testing.T) {
	columns := []Column{{Name: "phase", Type: NumberField}, {Name: "exact", Type: TruthField}, {Name: "best", Type: TextField}}
	for filter, why := range map[string]string{
		"3>2":                                "3>2 names no column: expected one of phase, exact, best",
		"foo>3":                              `no column "foo": expected one of phase, exact, best`,
		"phase":                              `"phase" is not a comparison: expected one of the operators`,
		"phase>":                             "expected a number or one of phase",
		"phase>3,":                           "expected a number or one of phase",
		"phase>3 phase<9":                    `"phase<9" follows a whole condition`,
		"phase=true":                         "are compared by = and != only",
		"exact>false":                        "are compared by = and != only",
		"exact=1":                            "are compared by = and != only",
		"exact+phase=2":                      "are compared by = and != only",
		"best>F":                             "best is a column of text: expected = or !=",
		"phase+best=1":                       "best is a column of text",
		`best="F`:                            "a quote is not closed",
		"(phase>1":                           "a parenthesis is not closed",
		"phase>1)":                           `")" follows a whole condition`,
		"phase>1.2.3":                        `"1.2.3": expected a number`,
		"phase>nan":                          `no column "nan"`,
		strings.Repeat("(", 101) + "phase>1": "parentheses are more than 100 deep",
	} {
		if _, err := parseFilter(filter, columns, nil); err == nil || !strings.Contains(err.Error(), why) || !strings.HasPrefix(err.Error(), "filter ") {
			t.Errorf("%.40s: error %v: expected %q", filter, err, why)
		}
	}
}
