package profile

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/outline"
)

// column counts the values of a column, and has those of the rows being added. Texts are numbered; a
// missing value is NaN.
type column struct {
	name   string
	typ    string   // type of the dataset's field
	names  []string // texts, which values are indices into
	values []float64
	tally
	effective float64 // sample size: see setEffective
}

// code returns the number of a text, NaN if it is empty.
func (c *column) code(text string) float64 {
	if text == "" {
		return math.NaN()
	}
	i := slices.Index(c.names, text)
	if i < 0 {
		i, c.names = len(c.names), append(c.names, text)
	}
	return float64(i)
}

// value returns a value in its JSON type.
func (c *column) value(v float64) any {
	switch c.typ {
	case datasets.TextField:
		return c.names[int(v)]
	case datasets.TruthField:
		return v != 0
	}
	return v
}

// text formats a value in the column's unit.
func (c *column) text(game games.Info, v float64) string {
	per, unit := unitOf(game, c.name)
	switch whole := v == math.Trunc(v) && math.Abs(v) < 1<<53; {
	case v != v:
		return "–"
	case unit != "":
		return fmt.Sprintf("%+.2f", v/per)
	case c.typ == datasets.NumberField && whole:
		return fmt.Sprintf("%.0f", v)
	case c.typ == datasets.NumberField:
		return fmt.Sprintf("%.6g", v)
	}
	return fmt.Sprint(c.value(v))
}

// mostNamed is the number of texts that get a bar of their own.
const mostNamed = 24

// bars counts the values: texts, most frequent first, booleans, or numbers.
func (c *column) bars() (all outline.Bins) {
	if c.typ == datasets.NumberField {
		return outline.BinsOf(c.all())
	}
	for v, rows := range c.all() {
		all = append(all, outline.Bin{Name: fmt.Sprint(c.value(v)), Rows: rows})
	}
	if c.typ == datasets.TextField {
		slices.SortStableFunc(all, func(a, b outline.Bin) int { return cmp.Compare(b.Rows, a.Rows) })
	}
	return all[:min(len(all), mostNamed)]
}

// tally counts values: small whole numbers in a slice, others in a map, which moves to a sorter when
// it is full, so that memory is limited. NaN counts as missing.
type tally struct {
	rows, missing int
	small         []int // counts of −listed, …, listed−1
	others        map[float64]int
	most          int     // greatest length of others
	counts        *sorter // the counts of both so far: values as bitsOf, and rows
}

// listed is the limit of small numbers on either side of 0.
const listed = 1 << 11

// tally returns a tally that keeps about the given number of bytes in memory.
func (f *tempFile) tally(room int) tally {
	return tally{others: map[float64]int{}, most: room / 64, counts: f.sorter(2, room/2)}
}

func (t *tally) add(values ...float64) {
	for _, v := range values {
		if v != v {
			t.missing++
			continue
		}
		t.rows++
		i := int(v)
		if float64(i) == v && i < listed && i >= -listed {
			if t.small == nil {
				t.small = make([]int, 2*listed)
			}
			t.small[i+listed]++
			continue
		}
		t.others[v]++
		if len(t.others) == t.most {
			t.move()
		}
	}
}

// move moves the counts to the sorter.
func (t *tally) move() {
	for i, n := range t.small {
		if n > 0 {
			t.others[float64(i-listed)] = n
		}
	}
	clear(t.small)
	for v, n := range t.others {
		t.counts.Add(bitsOf(v), uint64(n))
	}
	clear(t.others)
}

// bitsOf maps numbers to integers of the same order.
func bitsOf(v float64) uint64 {
	bits := math.Float64bits(v)
	return bits ^ (-(bits >> 63) | 1<<63)
}

// numberOf is the inverse of bitsOf.
func numberOf(bits uint64) float64 {
	return math.Float64frombits(bits ^ (bits>>63 - 1 | 1<<63))
}

// ascending yields the values in ascending order as [bitsOf], each with its number of rows.
func (t *tally) ascending() iter.Seq2[uint64, int] {
	t.move()
	return t.counts.keys(func(record []uint64) int { return int(record[1]) })
}

// all yields the values in ascending order, each with its number of rows.
func (t *tally) all() iter.Seq2[float64, int] {
	return func(yield func(float64, int) bool) {
		for bits, rows := range t.ascending() {
			if !yield(numberOf(bits), rows) {
				return
			}
		}
	}
}
