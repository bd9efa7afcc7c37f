package features

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"kroo/internal/testkit"
)

func TestColumnsOfASetAreTheDifferences(t *testing.T) {
	s := testSets.All[0]
	var c ColumnSet[board] = s
	p := board{own: 7, opp: 4}
	ones, vals := c.AppendRow(nil, nil, p)
	if len(ones) != 0 || len(vals) != 12 || vals[11] != (Entry{11, 3}) {
		t.Errorf("columns %v, %v: want 12 of the value 3", ones, vals)
	}
	ones, vals = c.AppendRow(nil, nil, board{own: 5, opp: 4})
	if len(ones) != 12 || len(vals) != 0 || ones[11] != 11 {
		t.Errorf("columns %v, %v: want 12 ones", ones, vals)
	}
	ones, vals = c.AppendRow(nil, nil, board{})
	if len(ones)+len(vals) != 0 {
		t.Errorf("columns %v, %v: want none", ones, vals)
	}
	if f := c.Families(); len(f) != 12 || f[1].Name != "<1" || f[1].From != 1 || f[1].To != 2 || c.ColumnName(1) != "<1" {
		t.Errorf("families %v", f)
	}
}

func TestAppendRowAllocatesNothing(t *testing.T) {
	ones, vals := make([]uint32, 0, 12), make([]Entry, 0, 12)
	s := testSets.All[0]
	testkit.Equal(t, testing.AllocsPerRun(100, func() { ones, vals = s.AppendRow(ones[:0], vals[:0], board{3, 1}) }), 0, "testing.AllocsPerRun")
}

func TestExactIsTheSumOfPointsTimesDifference(t *testing.T) {
	w := published(t)
	sum := 0.0
	for _, x := range w.Points {
		sum += x
	}
	m := testkit.Must(testSets.Model(w))(t)
	if got := m.Exact(board{7, 4}); math.Abs(got-3*sum) > 1e-9 {
		t.Errorf("%g: want %g", got, 3*sum)
	}
	some := testkit.Must(New("oware", "abapa", testSets.All[0].Info, []string{">12", "captures"}, []float64{10, 100}))(t)
	testkit.Equal(t, testkit.Must(testSets.Model(some))(t).Exact(board{0, 2}), -220, "two features of twelve")
}

func TestByNameListsTheSets(t *testing.T) {
	_, err := testSets.ByName("thesis5")
	testkit.ErrorContains(t, err, `unknown set "thesis5" of oware: did you mean thesis? expected thesis`)
	s, err := testSets.ByName("thesis")
	if err != nil || s.Name != "thesis" || !slices.Equal(testSets.Names(), []string{"thesis"}) {
		t.Errorf("set %v, error %v", s, err)
	}
}

// defined returns a definition.
func defined(definition string) func() string { return func() string { return definition } }

func TestTheDefinitionChangesTheHash(t *testing.T) {
	set := func(text func() string, meaning string) *Set[board] {
		return NewSet(Definition[board]{Name: "x", Features: []Feature[board]{{Name: "f", Meaning: meaning}}, Text: text})
	}
	a, b := set(defined("one"), ""), set(defined("two"), "")
	if one, two := set(nil, "seeds"), set(nil, "houses"); one.Hash() == two.Hash() {
		t.Error("another meaning has the same hash")
	}
	if a.Hash() == b.Hash() || len(a.Hash()) != 16 {
		t.Errorf("hashes %s and %s", a.Hash(), b.Hash())
	}
}

func TestValuesRefusesSlicesOfAnotherSize(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic for a slice that is too short")
		}
	}()
	testSets.All[0].Values(board{}, make([]int, 12), make([]int, 4))
}

// Files from when there was one game do not name it.
func TestWeightsWithoutAGameAreOwares(t *testing.T) {
	if w := published(t); w.Game != "" || w.gameName() != "oware" || strings.Contains(text(t, w), `"game"`) {
		t.Errorf("game %q, %q", w.Game, w.gameName())
	}
	if w := elsewhere(t); w.gameName() != "chess" {
		t.Errorf("game %q", w.gameName())
	}
}

func TestFilesReadBackAsTheyWere(t *testing.T) {
	h := Header{Game: "othello", Set: "rows", Rules: "8x8", Provenance: Provenance{Tool: "test", Stats: map[string]float64{"r": 0.5}}}
	sections := [][]byte{[]byte("first"), bytes.Repeat([]byte{7}, 5000), {}, bytes.Repeat([]byte("noise and silence"), window/4)}
	data := testkit.Must(SealPacked(KindModel, h, sections))(t)
	readsBack(t, data, sections)
}

func readsBack(t *testing.T, data []byte, sections [][]byte) {
	f, err := openPacked(data)
	if err != nil || f.Kind != KindModel || f.Header.Set != "rows" || f.Header.Provenance.Stats["r"] != 0.5 || f.Sections() != 4 {
		t.Fatalf("%+v, error %v", f, err)
	}
	for i, want := range sections {
		got := make([]byte, len(want))
		if err := f.UnpackAll(got, i); err != nil || !bytes.Equal(got, want) {
			t.Errorf("section %d: error %v", i, err)
		}
		if err := f.UnpackAll(make([]byte, len(want)+1), i); err == nil {
			t.Errorf("section %d passes for a longer one", i)
		}
		if len(want) > 0 && f.UnpackAll(got[1:], i) == nil {
			t.Errorf("section %d passes for a shorter one", i)
		}
	}
	for i := range data {
		if _, err := openPacked(data[:i]); err == nil {
			t.Fatalf("%d of %d bytes pass", i, len(data))
		}
		damaged := slices.Clone(data)
		damaged[i] ^= 0x40
		if _, err := openPacked(damaged); err == nil {
			t.Fatalf("damage in byte %d passes", i)
		}
	}
}

// Another writer's frame may be longer than its section.
func TestFramesThatAreTooLongAreRefused(t *testing.T) {
	w := testkit.Must(zstd.NewWriter(nil, zstd.WithWindowSize(8*window), zstd.WithSingleSegment(true)))(t)
	const n = 4 * window
	f := Packed{packed: [][]byte{w.EncodeAll(make([]byte, n), nil)}}
	if err := f.UnpackAll(make([]byte, n/2), 0); !errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		t.Errorf("into a short buffer: error %v", err)
	}
}

// A calibration can be set in a file, and changes nothing else.
func TestCalibratedFilesReadBackAsTheyWere(t *testing.T) {
	c := &Calibration{Rate: [2]float64{1, 0.9}, Draw: [2]float64{1.5, 0.2}, Margin: [2]float64{0.75, 3.7}, Games: 400, Scores: "test"}
	h := Header{Game: "othello", Set: "rows", Rules: "8x8", Provenance: Provenance{Stats: map[string]float64{"r": 0.5}}}
	sections := [][]byte{[]byte("first"), {}, {7}, []byte("last")}
	data := testkit.Must(SealPacked(KindModel, h, sections))(t)
	got := testkit.Must(calibratedPacked(data, c, "train weights calibrate"))(t)
	readsBack(t, got, sections)
	f := testkit.Must(openPacked(got))(t)
	if f.Header.Calibration == nil || *f.Header.Calibration != *c {
		t.Errorf("calibration %+v", f.Header.Calibration)
	}
	if plain, err := calibratedPacked(got, nil, ""); err != nil || !bytes.Equal(plain, data) {
		t.Errorf("without the calibration the file is another, error %v", err)
	}
}

func TestImpossibleCalibrationsAreRefused(t *testing.T) {
	h := Header{Set: "rows", Rules: "8x8"}
	for says, c := range map[string]Calibration{
		"rate is NaN":    {Rate: [2]float64{math.NaN(), 1}},
		"draw is -1":     {Draw: [2]float64{0, -1}},
		"margin is 2000": {Margin: [2]float64{2000, 0}},
		"rate is -1000":  {Rate: [2]float64{0, -1000}},
	} {
		testkit.ErrorContains(t, c.Check(), says)
		h.Calibration = &c
		data, err := SealPacked(KindModel, h, [][]byte{{1}})
		if err == nil {
			_, err = openPacked(data)
		}
		if err == nil {
			t.Errorf("%s: the file is read", says)
		}
	}
}
