package oware

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kroo/features"
	"kroo/games/oware"
	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

// Exports of columns have every weight by name, zeros included.
func TestExportsNameEveryWeight(t *testing.T) {
	m := randomModel(t, "store+houses/2", 20)
	var text bytes.Buffer
	testkit.NoError(t, (&Opened{Model: m}).Export(&text, "json"))
	var got struct {
		Header features.Header
		Points map[string]float64
	}
	testkit.NoError(t, json.Unmarshal(text.Bytes(), &got))
	if got.Header.ModelHash != m.Hash() || len(got.Points) != m.Set.Len() {
		t.Fatalf("header %+v, %d columns: want all %d", got.Header, len(got.Points), m.Set.Len())
	}
	for i, w := range m.Weights {
		if x, named := got.Points[m.Set.ColumnName(i)]; !named || float64(float32(x)) != w {
			t.Fatalf("column %d, %s: %v: want %v", i, m.Set.ColumnName(i), x, w)
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestExportsReportWriteErrors(t *testing.T) {
	m := randomModel(t, "store+houses", 20)
	e := compiled(t, m)
	testkit.ErrorContains(t, (&Opened{Model: m}).Export(broken{}, "json"), "disk full")
	for _, format := range []string{"json", "c"} {
		testkit.ErrorContains(t, e.Export(broken{}, format), "disk full")
	}
}

// Text of a hostile header stays in the comment of exported C.
func TestHeadersStayCommentsInC(t *testing.T) {
	e := compiled(t, randomModel(t, "store+houses", 20))
	e.header.Set = "store*\\\n/ int evil(void){return 1;} /*"
	var c strings.Builder
	testkit.NoError(t, e.writeC(&c))
	comment, code, _ := strings.Cut(c.String(), "*/")
	testkit.Contains(t, comment, "int evil")
	if strings.Contains(comment, `\`) || strings.Contains(code, "evil") {
		t.Errorf("the comment is %q", comment)
	}
}

// exportSpecs are sets without pattern tables, with one lot, and with one a stage.
var exportSpecs = []string{"store+houses/3", "store+houses/2+pairs", "store+pairs/2"}

func TestExportedArraysEvaluateTheSame(t *testing.T) {
	for _, spec := range exportSpecs[:testenv.Sample(2, len(exportSpecs))] {
		e := compiled(t, randomModel(t, spec, 50))
		for _, export := range []struct {
			format string
			write  func(io.Writer) error
			parse  func(*testing.T, string) arrays
		}{{"c", e.writeC, parseC}, {"json", e.writeJSON, parseJSON}} {
			var text bytes.Buffer
			testkit.NoError(t, export.write(&text))
			a := export.parse(t, text.String())
			a.checkLengths(t)
			for _, p := range randomPositions(t, 500) {
				if got, want := a.evaluate(p), e.Evaluate(p); got != want {
					t.Fatalf("%s as %s: %v: the arrays give %d, the evaluator %d", spec, export.format, p, got, want)
				}
			}
		}
	}
}

func parseJSON(t *testing.T, text string) arrays {
	t.Helper()
	var file struct {
		Header                          features.Header
		Stages                          int
		Stores, Houses, Units, Patterns [][]int
	}
	testkit.NoError(t, json.Unmarshal([]byte(text), &file))
	if file.Header.TablesHash == "" {
		t.Errorf("header %+v: want the hash of the tables", file.Header)
	}
	return arrays{
		stages: file.Stages, lots: len(file.Patterns) / triplePairs,
		stores: slices.Concat(file.Stores...), houses: slices.Concat(file.Houses...),
		units: slices.Concat(file.Units...), patterns: slices.Concat(file.Patterns...),
	}
}

// arrays is what the exports of [Evaluator] write, read back from their text.
type arrays struct {
	stages, lots                    int
	stores, houses, units, patterns []int // row after row
}

func parseC(t *testing.T, text string) arrays {
	t.Helper()
	number := func(s string) int {
		return testkit.Must(strconv.Atoi(s))(t)
	}
	define := func(name string) int {
		_, rest, _ := strings.Cut(text, "#define "+name+" ")
		value, _, _ := strings.Cut(rest, "\n")
		return number(value)
	}
	array := func(name string) (numbers []int) {
		_, rest, _ := strings.Cut(text, name)
		_, rest, _ = strings.Cut(rest, "= {")
		body, _, _ := strings.Cut(rest, ";")
		for _, s := range strings.FieldsFunc(body, func(r rune) bool { return strings.ContainsRune("{},\n", r) }) {
			numbers = append(numbers, number(s))
		}
		return numbers
	}
	c := arrays{stages: define("KROO_STAGES"), lots: define("KROO_LOTS")}
	c.stores, c.houses = array(" kroo_stores["), array(" kroo_houses[")
	if c.lots > 0 {
		c.units, c.patterns = array(" kroo_units["), array(" kroo_patterns[")
	}
	return c
}

func (c arrays) checkLengths(t *testing.T) {
	t.Helper()
	want := [4]int{counts * counts, c.stages * 12 * counts, c.lots * 6, c.lots * 6 << 18}
	if got := [4]int{len(c.stores), len(c.houses), len(c.units), len(c.patterns)}; got != want {
		t.Fatalf("lengths of the arrays: %v: want %v", got, want)
	}
}

// evaluate does what kroo_evaluate does in C.
func (c arrays) evaluate(p oware.Position) int {
	own, opp := p.Words()
	at := func(side uint64, i int) int { return int(side >> (8 * i) & 63) }
	stores := at(own, 6) + at(opp, 6)
	stage := (48 - stores) * c.stages / 49
	value := c.stores[at(own, 6)*counts+at(opp, 6)]
	var triples [4]int
	for h := range 12 {
		n := at(own, h)
		if h >= 6 {
			n = at(opp, h-6)
		}
		value += c.houses[(stage*12+h)*counts+n]
		bucket := [13]int{0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 7}[min(n, 12)]
		triples[h/3] |= bucket << (3 * (h % 3))
	}
	if c.lots == 1 {
		stage = 0
	}
	pair := 0
	for i := range triples {
		for j := i + 1; j < len(triples) && c.lots > 0; j++ {
			row := stage*6 + pair
			value += c.units[row] * c.patterns[row<<18|triples[j]<<9|triples[i]]
			pair++
		}
	}
	return (value + 128) >> 8
}
