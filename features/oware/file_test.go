package oware

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kroo/features"
	"kroo/games/oware"
	"kroo/internal/testenv" // temporary folders in memory
	"kroo/internal/testkit"
)

// save writes compiled weights, as keep does.
func save(c compilation, path string) error {
	return features.WritePacked(path, features.KindCompiled, c.header, c.sections())
}

// parseEvaluator reads a weights file's content, of either kind: it compiles a model.
func parseEvaluator(data []byte, name string) (*Evaluator, error) {
	o, err := features.Open(Sets, data, name)
	if err != nil {
		return nil, err
	}
	e, err := o.Evaluator()
	if err != nil {
		return nil, err
	}
	return e.(*Evaluator), nil
}

// modelFile is the content of a model's file.
func modelFile(t testing.TB, m *Model) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "w")
	testkit.NoError(t, m.Save(path))
	return testkit.Read(t, path)
}

func TestModelsReadBack(t *testing.T) {
	m := randomModel(t, "store+pairs/2", 20)
	m.Provenance = features.Provenance{
		Name: "n", Source: "s", Tool: "t", Engine: "e", Labels: "l", Datasets: []string{"a", "b"}, Parent: "p", Prior: "q", Trust: 0.5, Round: 3,
		Loss: "winning chances", Scale: 400, Ridge: map[string]float64{"pairs": 10, "store": 0.1}, Stats: map[string]float64{"r": 0.9}, Note: "*/ \n",
	}
	path := filepath.Join(t.TempDir(), "w")
	testkit.NoError(t, m.Save(path))
	got := testkit.Must(Sets.Load(path))(t)
	if !slices.Equal(got.Weights, m.Weights) || got.Hash() != m.Hash() || got.Rules != m.Rules || got.Provenance.Note != m.Provenance.Note {
		t.Error("the model differs")
	}
	first, _ := os.ReadFile(path)
	testkit.NoError(t, got.Save(path))
	if again, _ := os.ReadFile(path); !bytes.Equal(again, first) {
		t.Error("saved again, the bytes differ")
	}
	f, err := Sets.OpenPacked(first)
	if h := f.Header; err != nil || f.Kind != features.KindModel || h.ModelHash != m.Hash() || h.Set != m.Set.String() || h.Provenance.Ridge["pairs"] != 10 {
		t.Errorf("header %v %+v, error %v", f.Kind, h, err)
	}
}

func TestEvaluatorsReadBack(t *testing.T) {
	ps := randomPositions(t, 500)
	specs := []string{"store+houses", "store+houses/2", "houses/2+pairs", "store+pairs/2", "houses+sixes", "houses/4+quads/4+sixes"}
	for _, spec := range specs[:testenv.Sample(5, len(specs))] {
		m := randomModel(t, spec, 20)
		e, path := compilationOf(t, m), filepath.Join(t.TempDir(), "w")
		testkit.NoError(t, save(e, path))
		w, err := Find(path, "")
		if err != nil || w.Tables == nil {
			t.Fatalf("%+v, error %v", w, err)
		}
		got := w.Tables.(*Evaluator)
		for _, p := range ps {
			if a, b := got.Evaluate(p), e.Evaluate(p); a != b {
				t.Fatalf("%s %v: %d from the file: want %d", spec, p, a, b)
			}
		}
		if got.digest() != e.Hash() || got.Hash() != e.Hash() || got.Rounding() != e.Rounding() || got.Header().ModelHash != m.Hash() {
			t.Errorf("%s: hash %s, digest %s: want %s", spec, got.Hash(), got.digest(), e.Hash())
		}
		testkit.Equal(t, got.Header().Rules, "abapa", "%s: rules", spec)
	}
}

func TestDifferencesRestoreTheTables(t *testing.T) {
	fine := compilationOf(t, randomModel(t, "sixes", 300)).fine[0]
	table := fine[3]
	table[0] = math.MinInt16
	table[1] = math.MaxInt16
	table[8] = math.MaxInt16
	table[7] = math.MinInt16
	differences := table
	subtractLastBuckets(&differences)
	testkit.Equal(t, restored(&differences), table, "the table differs")
}

// restored reads differences from their section, into a used buffer.
func restored(differences *fineTable) (table fineTable) {
	b, words := bytePlanes(differences), new(tableWords)
	for i := range words {
		words[i] = math.MaxUint64
	}
	words.addLastBuckets(b[:patternSize], b[patternSize:])
	words.unpackTo(&table)
	return table
}

// A pattern of few houses is stored by reference as one number for each of its cells without a
// house in the last bucket.
func TestDifferencesAreSparse(t *testing.T) {
	var table fineTable
	left := 0
	for a := range buckets { // a pattern of the first and the fourth house
		for d := range buckets {
			v := int16(a*a - 3*d)
			if (a == buckets-1) == (d == buckets-1) {
				v += 5
			}
			for i := range table {
				if i%buckets == a && i>>tripleBits%buckets == d {
					table[i] = v
				}
			}
		}
	}
	whole := table
	subtractLastBuckets(&table)
	for i, v := range table {
		others := i &^ (buckets - 1 | (buckets-1)<<tripleBits)
		if all := 0o777777 &^ (0o7 | 0o7000); v != 0 && others != all {
			t.Fatalf("entry %o is %d: want 0", i, v)
		}
		if v != 0 {
			left++
		}
	}
	testkit.Equal(t, restored(&table), whole, "the table does not come back")
	if left < 20 || left > buckets*buckets {
		t.Errorf("%d entries are not 0: want 20 to %d", left, buckets*buckets)
	}
}

func TestNewerArrangementIsRefused(t *testing.T) {
	e := compilationOf(t, randomModel(t, "houses+pairs", 20))
	sections := e.sections()
	sections[0][arrangementAt]++
	data, err := features.SealPacked(features.KindCompiled, e.header, sections)
	testkit.NoError(t, err)
	_, err = parseEvaluator(data, "newer")
	testkit.ErrorContains(t, err, "another version of this program")
}

// smallFiles are a file of each kind.
func smallFiles(t testing.TB) map[string][]byte {
	t.Helper()
	m := randomModel(t, "store/2+houses", 20)
	model := modelFile(t, m)
	e := compilationOf(t, m)
	tables := testkit.Must(features.SealPacked(features.KindCompiled, e.header, e.sections()))(t)
	return map[string][]byte{"model": model, "compiled": tables}
}

func TestDamageIsFound(t *testing.T) {
	for name, data := range smallFiles(t) {
		for i := range data {
			bad := slices.Clone(data)
			bad[i] ^= 1 << (i % 8)
			_, err := parseEvaluator(bad, name)
			testkit.ErrorContains(t, err, name)
			if _, err := parseEvaluator(data[:i], name); err == nil {
				t.Fatalf("%s: reads the first %d bytes", name, i)
			}
		}
		if _, err := parseEvaluator(append(slices.Clone(data), 0), name); err == nil {
			t.Errorf("%s: reads with a byte more", name)
		}
	}
}

// resealed is the file with a new checksum.
func resealed(data []byte) []byte {
	if len(data) < sha256.Size {
		return data
	}
	body := slices.Clone(data[:len(data)-sha256.Size])
	sum := sha256.Sum256(body)
	return append(body, sum[:]...)
}

func TestInvalidContentWithAValidChecksumIsRefused(t *testing.T) {
	m := randomModel(t, "store+houses", 20)
	e := compiled(t, m)
	header := func(change func(*features.Header)) features.Header { h := m.Header(); change(&h); return h }
	same := m.Header()
	section := func(m *Model) []byte {
		f := testkit.Must(Sets.OpenPacked(modelFile(t, m)))(t)
		body := make([]byte, 4*m.Set.Len())
		testkit.NoError(t, f.UnpackAll(body, 0))
		return body
	}
	body := [][]byte{section(m)}
	nan := slices.Clone(body[0])
	for k := range 4 { // the bytes of all weights lie plane by plane
		nan[k*m.Set.Len()+3] = []byte{0, 0, 0xc0, 0x7f}[k]
	}
	small := compilation{Evaluator: e}.sections()[0]
	stages, entry := slices.Clone(small), slices.Clone(small)
	binary.LittleEndian.PutUint32(stages, 5)
	binary.LittleEndian.PutUint32(entry[introSize:], 1<<30)
	for name, c := range map[string]struct {
		kind     features.Kind
		h        features.Header
		sections [][]byte
		want     string
	}{
		"kind":        {3, same, body, "kind 3: expected 1 (model) or 2 (compiled)"},
		"set":         {features.KindModel, header(func(h *features.Header) { h.Set = "stores" }), body, `"stores" is not a family`},
		"set hash":    {features.KindModel, header(func(h *features.Header) { h.SetHash = "0" }), body, "fit the weights again"},
		"game":        {features.KindModel, header(func(h *features.Header) { h.Game = "chess" }), body, "weights for the game \"chess\": expected weights for oware"},
		"rules":       {features.KindModel, header(func(h *features.Header) { h.Rules = "chess" }), body, "unknown rules"},
		"hash":        {features.KindModel, header(func(h *features.Header) { h.ModelHash = "0" }), body, "hash does not match the weights"},
		"short":       {features.KindModel, same, [][]byte{body[0][4:]}, "section 0: expected 1156 bytes"},
		"long":        {features.KindModel, same, [][]byte{append(slices.Clone(body[0]), 1)}, "section 0: expected 1156 bytes"},
		"two":         {features.KindModel, same, [][]byte{body[0], body[0]}, "2 sections: expected 1"},
		"none":        {features.KindModel, same, nil, "0 sections: expected at least 1"},
		"nan":         {features.KindModel, same, [][]byte{nan}, "weight of column 3 (houses A2) is NaN"},
		"stages":      {features.KindCompiled, same, [][]byte{stages}, "5 stages"},
		"large entry": {features.KindCompiled, same, [][]byte{entry}, "entry 0 is 1073741824"},
		"tables":      {features.KindCompiled, same, [][]byte{small, nil}, "1 pattern tables: expected 0, 6 or 6"},
		"table":       {features.KindCompiled, same, append([][]byte{small}, make([][]byte, 6)...), "section 1: expected 524288 bytes"},
		"empty":       {features.KindCompiled, same, [][]byte{nil}, "section 0"},
	} {
		data := testkit.Must(features.SealPacked(c.kind, c.h, c.sections))(t)
		if _, err := parseEvaluator(data, "here"); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "weights file here: ") {
			t.Errorf("%s: error %v: want one with %q", name, err, c.want)
		}
	}
}

func TestOtherFilesAreRefused(t *testing.T) {
	files := smallFiles(t)
	_, err := Sets.Parse(files["compiled"], "x")
	testkit.ErrorContains(t, err, "expected the model")
	newer := slices.Clone(files["model"])
	newer[8] = 3
	_, err = Sets.Parse(resealed(newer), "x")
	testkit.ErrorContains(t, err, "format version 3: expected 2")
	if _, err := Sets.Load(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("reads a file that is not there")
	}
	if _, err := Find(t.TempDir(), ""); err == nil {
		t.Error("reads a folder")
	}
}

func FuzzParseEvaluator(f *testing.F) {
	for _, data := range smallFiles(f) {
		f.Add(data)
	}
	f.Add([]byte(features.PackedMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := parseEvaluator(resealed(data), "fuzz")
		if (e == nil) == (err == nil) {
			t.Fatalf("evaluator %v, error %v", e != nil, err)
		}
		if err == nil {
			e.Evaluate(oware.Start(oware.Abapa))
		}
	})
}

// The first thing that the program reads: the champion.
func BenchmarkParseDefault(b *testing.B) {
	for b.Loop() {
		if _, err := parseEvaluator(abapaWeights, "x"); err != nil {
			b.Fatal(err)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	s := parse(t, "store+phase")
	for _, c := range []struct {
		w    []float64
		want string
	}{
		{make([]float64, 49), "49 weights: expected 50"},
		{append(make([]float64, 49), math.NaN()), "column 49 (phase in play 48) is NaN"},
		{append(make([]float64, 49), math.Inf(-1)), "is -Inf"},
		{append([]float64{2 * features.MaxWeight}, make([]float64, 49)...), "column 0 (store difference) is 200000: expected at most 100000"},
	} {
		_, err := Sets.NewModel("abapa", s, c.w, features.Provenance{})
		testkit.ErrorContains(t, err, c.want)
	}
	if _, err := Sets.NewModel("abapa", nil, nil, features.Provenance{}); err == nil {
		t.Error("accepts no set")
	}
	if _, err := Sets.NewModel("9", s, make([]float64, 50), features.Provenance{}); err == nil {
		t.Error("accepts unknown rules")
	}
	if _, err := Compile(&Model{}); err == nil {
		t.Error("compiles an empty model")
	}
}

// Each column with weight one alone gives its value.
func TestExactIsWeightTimesValue(t *testing.T) {
	s := parse(t, "store+houses")
	p := position(t, [houses]int{0, 1, 2, 3, 5, 8, 10, 12}, [2]int{4, 3})
	ones, vals := s.AppendRow(nil, nil, p)
	want := make([]float64, s.Len())
	for _, i := range ones {
		want[i] = 1
	}
	for _, v := range vals {
		want[v.Index] = float64(v.Value)
	}
	for i := range want {
		w := make([]float64, s.Len())
		w[i] = 2.5
		m := testkit.Must(Sets.NewModel("abapa", s, w, features.Provenance{}))(t)
		testkit.Equal(t, m.Exact(p), 2.5*want[i], "column %s", s.ColumnName(i))
	}
}

func TestHashOfAModelFollowsRulesSetAndWeights(t *testing.T) {
	seen := map[string]int{}
	note := func(m *Model, i int) {
		if other, ok := seen[m.Hash()]; ok {
			t.Errorf("models %d and %d have one hash", other, i)
		}
		seen[m.Hash()] = i
	}
	m := randomModel(t, "store+houses", 20)
	note(m, 0)
	m.Weights[288]++
	note(m, 1)
	m.Rules = "awari"
	note(m, 2)
	m.Set = parse(t, "store/2+phase")
	note(m, 3)
	h := m.Hash()
	m.Provenance.Note = "no matter for play"
	testkit.Equal(t, m.Hash(), h, "the hash depends on provenance")
}
