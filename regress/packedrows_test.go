package regress

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kroo/datasets"
	"kroo/features/oware"
	rules "kroo/games/oware"
	"kroo/internal/journal"
	"kroo/internal/testkit"
)

// stored is a storage whose file is in a new folder.
func stored(t *testing.T, memory int64) storage {
	t.Helper()
	return storage{memory: memory, path: filepath.Join(t.TempDir(), "w.rows"), settings: "test"}
}

// Where the packed rows are, in memory, in a file, or some in each, does not change a bit of the weights.
func TestSameBitsForAnyMemory(t *testing.T) {
	rows := mixed(3).sparse()
	o := solverOptions{loss: chances, scale: 400, ridges: []float64{10}, rounds: 2, steps: 6}
	want := mustMinimise(t, mustPrepare(t, rows), o)
	most := 0
	for _, size := range []int64{0, 200_000, 500_000, 800_000, 2_000_000} {
		for _, workers := range []int{1, 3} {
			m := testkit.Must(prepare(t.Context(), rows, workers, stored(t, size)))(t)
			resident := 0
			for _, c := range m.chunks.chunks {
				if c != nil {
					resident++
				}
			}
			most = max(most, resident)
			if size == 0 && resident != 0 {
				t.Errorf("%d chunks in no memory", resident)
			}
			got := mustMinimise(t, m, o)
			if !slices.Equal(got.weights, want.weights) || got.train != want.train || got.steps != want.steps {
				t.Errorf("%d bytes, %d workers: other bits than in memory", size, workers)
			}
			testkit.NoError(t, m.close())
		}
	}
	if most == 0 {
		t.Error("no chunk is ever in memory: the test needs more")
	}
}

// Chunks in memory are as many as asked for, and spread evenly.
func TestChunksInMemoryAreSpread(t *testing.T) {
	for n := 1; n < 30; n++ {
		for resident := range n + 1 {
			count := 0
			for i := range n {
				if isResident(i, resident, n) {
					count++
				}
				if share := float64(resident) / float64(n); math.Abs(float64(count)-share*float64(i+1)) >= 1 {
					t.Fatalf("%d of %d: %d of the first %d", resident, n, count, i+1)
				}
			}
			testkit.Equal(t, count, resident, "%d of %d", resident, n)
		}
	}
}

// A file of packed rows that is cut or damaged anywhere gives the same rows when it is opened again, and
// keeps its whole records before that place.
func TestPackedRowsResumeAfterAnyDamage(t *testing.T) {
	rows := mixed(5).sparse()
	s := stored(t, 0)
	m := testkit.Must(prepare(t.Context(), rows, 2, s))(t)
	ends := slices.Clone(m.chunks.ends)
	testkit.NoError(t, m.close())
	whole := testkit.Read(t, s.path)
	testkit.Equal(t, int64(len(whole)), ends[len(ends)-1], "size")
	again := func(what string, data []byte, kept int) {
		t.Helper()
		testkit.Write(t, s.path, data)
		p := &packedRows{layout: m.chunks.layout}
		testkit.NoError(t, p.open(s, m.columns.end))
		testkit.Equal(t, len(p.ends), kept, "%s: records kept", what)
		testkit.NoError(t, p.close())
		m := testkit.Must(prepare(t.Context(), rows, 2, s))(t)
		testkit.NoError(t, m.close())
		if !slices.Equal(testkit.Read(t, s.path), whole) {
			t.Errorf("%s: other packed rows", what)
		}
	}
	again("unchanged", whole, len(ends))
	again("longer", append(slices.Clone(whole), 1, 2, 3), len(ends))
	for _, at := range []int{0, 5, 20, headerSize, headerSize + 3, int(ends[0]) - 1, int(ends[0]), int(ends[0]) + 50, len(whole) - 1} {
		records := 0
		for _, end := range ends {
			if at >= int(end) {
				records++
			}
		}
		again("cut", whole[:at], records)
		if at < len(rowsMagic) {
			continue
		}
		damaged := slices.Clone(whole)
		damaged[at] ^= 0x40
		if at < headerSize {
			records = 0
		}
		again("damaged", damaged, records)
	}
}

// Rows of other settings are written again; a file of another kind is left alone.
func TestAFileOfOtherRows(t *testing.T) {
	s := stored(t, 0)
	for _, seed := range []uint64{5, 6} {
		s.settings = seed
		rows := mixed(seed).sparse()
		m := testkit.Must(prepare(t.Context(), rows, 0, s))(t)
		o := solverOptions{ridges: []float64{10}, rounds: 1, steps: 2}
		if got := mustMinimise(t, m, o); !slices.Equal(got.weights, mustMinimise(t, mustPrepare(t, rows), o).weights) {
			t.Error("weights of other rows")
		}
		testkit.NoError(t, m.close())
	}
	testkit.Write(t, s.path, []byte("my notes"))
	testkit.ErrorContains(t, errorOf(prepare(t.Context(), mixed(5).sparse(), 0, s)), s.path, "not a file of packed rows")
	testkit.NoError(t, removeRows(s.path))
	testkit.Equal(t, string(testkit.Read(t, s.path)), "my notes", "contents")
}

// Rows that are damaged during a fit end it with an error that names the file.
func TestRowsThatAreDamagedDuringAFit(t *testing.T) {
	s := stored(t, 0)
	m := testkit.Must(prepare(t.Context(), mixed(5).sparse(), 0, s))(t)
	data := testkit.Read(t, s.path)
	data[len(data)/2] ^= 1
	testkit.NoError(t, os.WriteFile(s.path, data, 0o666))
	testkit.ErrorContains(t, errorOf(m.minimise(t.Context(), solverOptions{ridges: []float64{10}})), s.path, "damaged: run the command again")
	testkit.NoError(t, m.close())
}

// A record with a right checksum and impossible contents is written again.
func TestImpossibleRecordsAreWrittenAgain(t *testing.T) {
	m := mustPrepare(t, mixed(5).sparse())
	end := m.columns.end
	fresh := func() *chunk {
		c := *testkit.Must(m.chunks.chunk(0, nil))(t)
		for _, s := range []*[]uint32{&c.hotEnd, &c.coldEntries, &c.coldPartEnd, &c.valueSlots, &c.valueEnd} {
			*s = slices.Clone(*s)
		}
		return &c
	}
	if c := fresh(); !c.isValid(end) {
		t.Fatal("a whole record is not valid")
	}
	for name, change := range map[string]func(*chunk){
		"ends beyond the words":  func(c *chunk) { c.hotEnd[len(c.hotEnd)-1]++ },
		"ends that descend":      func(c *chunk) { c.hotEnd[0] = c.hotEnd[1] + 1 },
		"too few ends":           func(c *chunk) { c.hotEnd = c.hotEnd[1:] },
		"a row beyond the chunk": func(c *chunk) { c.coldEntries[0] |= 0xffff },
		"a slot beyond":          func(c *chunk) { c.valueSlots[0] = uint32(end) },
		"values without a slot":  func(c *chunk) { c.valueSlots = c.valueSlots[1:] },
		"parts beyond":           func(c *chunk) { c.coldPartEnd[len(c.coldPartEnd)-1]++ },
		"too few parts":          func(c *chunk) { c.coldPartEnd = c.coldPartEnd[1:] },
		"too few ends of values": func(c *chunk) { c.valueEnd = c.valueEnd[:len(c.valueEnd)-1] },
	} {
		c := fresh()
		change(c)
		if c.isValid(end) {
			t.Errorf("%s: valid", name)
		}
	}
}

// A fit with little memory writes the bytes of one in memory, also with a choice of the ridge, a prior,
// a learning curve and row weights, and after a stop; it leaves no file.
func TestFitsInLittleMemoryWriteTheSameBytes(t *testing.T) {
	labels := labelFile(t, 3, 2000, tame)
	valid := labelFile(t, 4, 500, tame)
	prior := request(t, labelFile(t, 5, 500, tame))
	prior.Set = "store+houses+adjacent"
	mustFitPatterns(t, prior)
	for name, change := range map[string]func(*Request){
		"choice": func(r *Request) { r.Choose, r.Folds, r.Curve = true, 3, true },
		"prior":  func(r *Request) { r.Prior, r.Trust, r.Weight, r.Curve = prior.Out, 1, "depth", true },
	} {
		req := request(t, labels)
		req.Set, req.RidgeRows, req.Loss, req.Tolerance = "store+houses+adjacent", 1, "chances", 1e-3
		req.Validation = []string{valid, labels}
		change(&req)
		want := mustFitPatterns(t, req)
		bytes := testkit.Read(t, want.Model)
		req.Memory, req.Workers = 1, 3
		req.Out = filepath.Join(t.TempDir(), "again.weights")
		stop, cancel := context.WithCancel(t.Context())
		steps := 0
		_, err := fitPatterns(stop, oware.Sets, req, func(int64, int64, string) {
			if steps++; steps == 10 {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: a stopped fit gave %v", name, err)
		}
		if _, err := os.Stat(rowsPath(req.Out)); err != nil {
			t.Error(err)
		}
		got := mustFitPatterns(t, req)
		if !slices.Equal(testkit.Read(t, got.Model), bytes) {
			t.Errorf("%s: %s, in memory %s", name, got.Hash, want.Hash)
		}
		if !slices.Equal(got.Curve, want.Curve) || *got.Validation != *want.Validation || got.Overlap != want.Overlap {
			t.Errorf("%s: %+v, in memory %+v", name, got, want)
		}
		for _, path := range []string{rowsPath(req.Out), journal.PathOf(req.Out)} {
			if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s is still there: %v", path, err)
			}
		}
	}
}

// Overlaps and folds do not depend on how many situations fit into memory.
func TestSituationsInParts(t *testing.T) {
	labels := func(paths ...string) *labelledRows[rules.Position] {
		return &labelledRows[rules.Position]{game: rules.Descriptor(), tables: tablesOf(t, paths)}
	}
	a, b := labelFile(t, 3, 3000, tame), labelFile(t, 4, 500, tame)
	training := labels(a, b, a)
	_, rows, err := datasets.Read(rules.Descriptor(), a, datasets.Labels)
	testkit.NoError(t, err)
	var otherSide []labelRow
	for _, row := range rows[:300] {
		otherSide = append(otherSide, labelRow{Position: rules.Descriptor().Pass(row.Position)})
	}
	valid := labels(b, labelFile(t, 5, 400, tame), rowFile(t, otherSide))
	want := slices.Concat(slices.Repeat([]bool{true}, 500), make([]bool, 400), slices.Repeat([]bool{true}, 300))
	folds := testkit.Must(training.folds(t.Context(), 4, 1))(t)
	for _, parts := range []int{1, 2, 7} {
		testkit.EqualSlices(t, testkit.Must(valid.overlap(t.Context(), training, parts))(t), want, "overlap")
		testkit.EqualSlices(t, testkit.Must(training.folds(t.Context(), 4, parts))(t).of, folds.of, "folds")
	}
	testkit.Equal(t, valid.situationParts(0), 1, "parts of few rows in the least memory")
}
