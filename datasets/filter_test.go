package datasets

import (
	"strings"
	"testing"
)

func FuzzWhere(f *testing.F) {
	columns := []Column{{Name: "phase", Type: NumberField}, {Name: "exact", Type: TruthField}, {Name: "best", Type: TextField},
		{Name: "own_captures", Type: NumberField}, {Name: "opp_captures", Type: NumberField}, {Name: "own_lt_1", Type: NumberField}, {Name: "opp_lt_1", Type: NumberField}}
	f.Add("phase>=20, exact=true,best!=F")
	f.Add("=<!>,phase<,")
	f.Add("captures - <1 > -2.5e3 or (best='F' and not=1)")
	f.Fuzz(func(t *testing.T, text string) {
		w, err := ParseFilter(text, columns, []string{"captures", "<1"})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "filter ") {
				t.Errorf("error %v", err)
			}
			return
		}
		w.Wants(func(int) float64 { return 1 }, func(int) string { return "A" })
		w.Wants(func(int) float64 { return 0 }, func(int) string { return "" })
	})
}

// Each filter stands beside what it says in Go.
func TestFiltersWantTheRowsTheySay(t *testing.T) {
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
		f, err := ParseFilter(filter, columns, []string{"captures", "<1"})
		if err != nil {
			t.Errorf("%s: %v", filter, err)
			continue
		}
		for n := range 4 * 2 * 4 * 81 {
			v := make([]float64, len(columns))
			for i, rest := 0, n; i < len(v); i++ {
				size := []int{4, 2, 4, 3, 3, 3, 3}[i]
				v[i], rest = float64(rest%size), rest/size
			}
			got := f.Wants(func(i int) float64 { return v[i] }, func(i int) string { return texts[int(v[i])] })
			if got != want(v) {
				t.Errorf("%s of %v: wanted is %v", filter, v, got)
				break
			}
		}
	}
}

func TestRefusedFilters(t *testing.T) {
	columns := []Column{{Name: "phase", Type: NumberField}, {Name: "exact", Type: TruthField}, {Name: "best", Type: TextField}}
	for filter, why := range map[string]string{
		"3>2":                                "3>2 names no column: expected one of phase, exact, best",
		"foo>3":                              `no column "foo": expected one of phase, exact, best`,
		"phase":                              `"phase" is no comparison: expected one of the operators`,
		"phase>":                             "expected a number or one of phase",
		"phase>3,":                           "expected a number or one of phase",
		"phase>3 phase<9":                    `"phase<9" follows a whole condition`,
		"phase=true":                         "expected true or false alone",
		"exact>false":                        "expected true or false alone",
		"exact=1":                            "expected true or false alone",
		"exact+phase=2":                      "expected true or false alone",
		"best>F":                             "best is a column of text: expected = or !=",
		"phase+best=1":                       "best is a column of text",
		`best="F`:                            "a quote is not closed",
		"(phase>1":                           "a parenthesis is not closed",
		"phase>1)":                           `")" follows a whole condition`,
		"phase>1.2.3":                        `"1.2.3": expected a number`,
		"phase>nan":                          `no column "nan"`,
		strings.Repeat("(", 101) + "phase>1": "parentheses are more than 100 deep",
	} {
		if _, err := ParseFilter(filter, columns, nil); err == nil || !strings.Contains(err.Error(), why) || !strings.HasPrefix(err.Error(), "filter ") {
			t.Errorf("%.40s: error %v: expected %q", filter, err, why)
		}
	}
}
