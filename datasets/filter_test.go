package datasets

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// filteredColumns are columns of each type.
func filteredColumns() []column {
	return []column{
		{name: "phase", typ: typeFloat64}, {name: "exact", typ: typeBool}, {name: "best", typ: typeText},
		{name: "own_captures", typ: typeUint8}, {name: "opp_captures", typ: typeUint8}, {name: "own_lt_1", typ: typeUint8}, {name: "opp_lt_1", typ: typeUint8},
	}
}

func FuzzWhere(f *testing.F) {
	columns := filteredColumns()
	columns[0].floats = []float64{1, 0}
	columns[1].bools = []bool{true, false}
	columns[2].texts = []string{"A", ""}
	for i := range columns[3:] {
		columns[3+i].ints = []int64{1, 0}
	}
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
		rows := w.rows(2, columns)
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
		columns := filteredColumns()
		f, err := parseFilter(filter, columns, []string{"captures", "<1"})
		if err != nil {
			t.Errorf("%s: %v", filter, err)
			continue
		}
		var expected []int32
		const n = 4 * 2 * 4 * 81
		for row := range n {
			v := make([]float64, len(columns))
			for i, rest := 0, row; i < len(v); i++ {
				size, c := []int{4, 2, 4, 3, 3, 3, 3}[i], &columns[i]
				v[i], rest = float64(rest%size), rest/size
				switch c.typ {
				case typeFloat64:
					c.floats = append(c.floats, v[i])
				case typeBool:
					c.bools = append(c.bools, v[i] == 1)
				case typeText:
					c.texts = append(c.texts, texts[int(v[i])])
				default:
					c.ints = append(c.ints, int64(v[i]))
				}
			}
			if want(v) {
				expected = append(expected, int32(row))
			}
			own := func(i int) (low, high float64, known bool) { return v[i], v[i], columns[i].typ != typeText }
			if want(v) && !f.possible(own) {
				t.Errorf("%s of %v: not possible", filter, v)
			}
		}
		got := f.rows(n, columns)
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
	columns := []column{{name: "a", typ: typeFloat64}, {name: "b", typ: typeFloat64}, {name: "c", typ: typeText}}
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
	columns := filteredColumns()[:3]
	for filter, why := range map[string]string{
		"3>2":                                "3>2 names no column: expected one of phase, exact, best",
		"foo>3":                              `no column "foo": expected phase, exact or best`,
		"<1>0":                               `no column "<1": expected phase, exact or best`,
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

func TestFiltersThatNoTableCanHaveAreWrong(t *testing.T) {
	columns := append(filteredColumns()[:3], column{name: "bound", typ: typeText, choices: boundNames[:]})
	for filter, wrong := range map[string]bool{
		"phase": true, "phase>": true, "3>2": true, "(phase>1": true, "phase>1.2.3": true, "bound=atleast": true,
		"foo>3": false, "<1>0": false, "phase><12": false, "<>0": true, "exact=treu": false, "best>F": false, "exact>false": false,
	} {
		_, err := parseFilter(filter, columns, nil)
		if _, ok := errors.AsType[WrongFilter](err); err == nil || ok != wrong {
			t.Errorf("%s: error %v: wrong is %v", filter, err, ok)
		}
	}
	for filter, want := range map[string]string{"bound=atleast": "did you mean at_least?", "exact=treu": "did you mean true?"} {
		_, err := parseFilter(filter, columns, nil)
		testkit.ErrorContains(t, err, want)
	}
	if _, err := parseFilter("bound!=at_most", columns, nil); err != nil {
		t.Error(err)
	}
}

// Copies contain the rows that a slow filter selects, in every format, and name their origin.
func TestFilteredCopiesHaveTheMatchingRows(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	from := filepath.Join(dir, "labels.parquet")
	meta := Meta{Kind: Labels, Game: "oware", Rules: "abapa", Note: "mine", Made: "train label"}
	rows := randomLabels(newRand(), 300)
	testkit.NoError(t, Write(game, from, meta, Rows(rows)))
	source, err := ReadManifest(from)
	testkit.NoError(t, err)
	want := slices.DeleteFunc(slices.Clone(rows), func(r tableRow) bool {
		return r.Exact || game.Phase(r.Position) < 20 || r.Label >= 0
	})
	if len(want) == 0 || len(want) == len(rows) {
		t.Fatalf("%d rows of %d fit: expected some", len(want), len(rows))
	}
	for _, name := range []string{"some.parquet", "some.arrow", "some.csv"} {
		to := filepath.Join(dir, name)
		m, err := Convert(t.Context(), game.Info, Conversion{From: from, To: to, Where: "exact=false, phase>=20, label<0", Made: "train convert"})
		if err != nil || m.Rows != int64(len(want)) || m.Meta.Parent != source.SHA256 ||
			m.Meta.Made != "train convert" ||
			m.Meta.Note != `mine; rows where "exact=false, phase>=20, label<0"` {
			t.Errorf("%s: %+v, error %v", name, m, err)
			continue
		}
		i := 0
		for r, err := range scanned(t.Context(), to, "") {
			testkit.NoError(t, err)
			if i < len(want) && !reflect.DeepEqual(r, want[i]) {
				t.Errorf("%s: row %d is %+v: want %+v", name, i, r, want[i])
			}
			i++
		}
	}
	to := filepath.Join(dir, "none.parquet")
	for where, want := range map[string]string{"phase>90": "none of the 300 rows", "mood=1": "no column", "phase": "is not a comparison"} {
		if _, err := Convert(t.Context(), game.Info, Conversion{From: from, To: to, Where: where}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v: want one with %q", where, err, want)
		}
	}
	if left, _ := filepath.Glob(to + "*"); left != nil {
		t.Errorf("%v are there", left)
	}
}

// Whole numbers of 64 bits are compared exactly, as big.Int compares them, and their bounds admit
// every row that matches.
func TestFiltersCompareWholeNumbersExactly(t *testing.T) {
	values := []int64{0, 1, 1<<53 - 1, 1 << 53, 1<<53 + 1, 1<<53 + 3, 1<<60 + 1, math.MaxInt64 - 1, math.MaxInt64, -1 << 53, -1<<53 - 1, math.MinInt64}
	bounded := func(v int64) bounds {
		return func(int) (low, high float64, known bool) { return float64(v), float64(v), true }
	}
	for operator, holds := range comparators {
		for _, constant := range values {
			for shape, left := range map[string]int64{"n": 0, "n+3": 3, "n-7": -7} {
				text := fmt.Sprintf("%s %s %d", shape, operator, constant)
				for _, v := range values {
					cols := []column{{name: "n", typ: typeInt64, ints: []int64{v}}}
					filter, err := parseFilter(text, cols, nil)
					if err != nil {
						t.Fatal(err)
					}
					sum := new(big.Int).Add(big.NewInt(v), big.NewInt(left))
					want := holds(sum.Cmp(big.NewInt(constant)))
					if got := len(filter.rows(1, cols)) == 1; got != want {
						t.Errorf("%s, n = %d: %v", text, v, got)
					}
					if want && !filter.possible(bounded(v)) {
						t.Errorf("%s excludes n = %d by its bounds", text, v)
					}
				}
			}
		}
	}
}
