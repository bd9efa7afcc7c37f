package datasets

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet/file"
	flatbuffers "github.com/google/flatbuffers/go"

	"kroo/internal/testkit"
)

// Other programs open an Arrow file by its footer, with metadata and types.
func TestArrowFilesOpenByTheirFooter(t *testing.T) {
	path, content := labelsFile(t, ".arrow")
	in := testkit.Must(ipc.NewFileReader(bytes.NewReader(content)))(t)
	got := in.Schema().Metadata()
	for _, want := range allPairs(Meta{Kind: Labels, Game: "oware", Rules: "abapa"}, columnsFor(Meta{Kind: Labels}, game.Info)) {
		if value, _ := got.GetValue(want.key); value != want.value {
			t.Errorf("metadata %s is %s, want %s", want.key, value, want.value)
		}
	}
	for i, want := range []string{"key int64", "board utf8", "phase uint8", "game int32", "ply int32", "score int32", "label float64", "depth int32", "exact bool", "nodes int64", "bound utf8", "best utf8"} {
		if f := in.Schema().Field(i); f.Name+" "+f.Type.String() != want || f.Nullable {
			t.Errorf("column %d is %v, want %s, never null", i, f, want)
		}
	}
	_, rows, err := Read(game, path, Labels)
	testkit.NoError(t, err)
	rec := testkit.Must(in.RecordAt(0))(t)
	defer rec.Release()
	for i, r := range rows {
		if rec.Column(0).ValueStr(i) != fmt.Sprint(r.Position.BookKey()) || rec.Column(6).(*array.Float64).Value(i) != r.Label || rec.NumRows() != int64(len(rows)) {
			t.Errorf("row %d of %d: key %s, want %+v", i, rec.NumRows(), rec.Column(0).ValueStr(i), r)
		}
	}
}

// After its first eight bytes an Arrow file is a stream, which must end before the footer.
func TestArrowFilesAreStreamsToo(t *testing.T) {
	for _, n := range []int{0, 30} {
		path := filepath.Join(t.TempDir(), "labels.arrow")
		testkit.NoError(t, writeLabels(path, Meta{Game: "oware", Rules: "abapa"}, randomLabels(newRand(), n)))
		in, err := ipc.NewReader(bytes.NewReader(testkit.Read(t, path)[8:]))
		testkit.NoError(t, err)
		rows := int64(0)
		for in.Next() {
			rows += in.Record().NumRows()
		}
		if in.Err() != nil || rows != int64(n) {
			t.Errorf("%d rows of %d, error %v", rows, n, in.Err())
		}
	}
}

// A footer with an offset outside the file is refused before the library follows it.
func TestFootersWithInvalidOffsetsAreRefused(t *testing.T) {
	path, content := labelsFile(t, ".arrow")
	end := len(content) - arrowTrailer
	begin := end - int(binary.LittleEndian.Uint32(content[end:]))
	root := flatbuffers.Table{Bytes: content[begin:end], Pos: flatbuffers.GetUOffsetT(content[begin:end])}
	start, _, err := vector(root, 3, 24)
	testkit.NoError(t, err)
	block := begin + int(start) // of the one batch: its offset, two lengths
	for says, change := range map[string]func(content []byte){
		"a list of 16777217":   func(c []byte) { c[block-1] = 1 },
		"is at offset -8":      func(c []byte) { binary.LittleEndian.PutUint64(c[block:], 1<<64-8) },
		"is at offset 1048576": func(c []byte) { binary.LittleEndian.PutUint64(c[block:], 1<<20) },
		"0 and":                func(c []byte) { binary.LittleEndian.PutUint32(c[block+8:], 0) },
		"1099511627776 bytes":  func(c []byte) { binary.LittleEndian.PutUint64(c[block+16:], 1<<40) },
	} {
		bad := bytes.Clone(content)
		change(bad)
		testkit.Write(t, path, bad)
		_, _, err := labelsOf(t, path, ImportOptions{})
		wantError(t, err, path, says)
	}
}

// The statistics of a Parquet file are correct: the bounds of each row group are those of its
// values, and there are no distinct counts.
func TestParquetRecordsTheBoundsOfItsValues(t *testing.T) {
	rows := randomLabels(newRand(), chunkRows+100)
	path := filepath.Join(t.TempDir(), "l.parquet")
	testkit.NoError(t, writeLabels(path, Meta{Game: "oware", Rules: "abapa"}, rows))
	in, err := file.NewParquetReader(bytes.NewReader(testkit.Read(t, path)))
	testkit.NoError(t, err)
	cols := columnsFor(Meta{Kind: Labels, Game: "oware", Rules: "abapa"}, game.Info)
	for g, part := range [][]tableRow{rows[:chunkRows], rows[chunkRows:]} {
		group := parquetGroup{&parquetFile{meta: in.MetaData()}, g}
		for i, c := range cols {
			said := in.MetaData().RowGroups[g].Columns[i].MetaData.Statistics
			if (said == nil) != (c.typ == typeText) || said != nil && (said.IsSetDistinctCount() || said.GetNullCount() != 0) {
				t.Errorf("group %d, column %s: %+v", g, c.name, said)
			}
			var of func(tableRow) float64
			switch c.name {
			case "phase":
				of = func(r tableRow) float64 { return float64(game.Phase(r.Position)) }
			case "score":
				of = func(r tableRow) float64 { return float64(r.Score) }
			case "label":
				of = func(r tableRow) float64 { return r.Label }
			case "exact":
				of = func(r tableRow) float64 { return number(r.Exact) }
			case "nodes":
				of = func(r tableRow) float64 { return float64(r.Nodes) }
			default:
				continue
			}
			low, high := math.Inf(1), math.Inf(-1)
			for _, r := range part {
				low, high = min(low, of(r)), max(high, of(r))
			}
			if from, to, known := group.bounds(i, c.typ); !known || from != low || to != high {
				t.Errorf("group %d, column %s: from %v to %v, %v: want %v to %v", g, c.name, from, to, known, low, high)
			}
		}
	}
}

// A filter skips row groups whose bounds exclude it, and finds the same rows.
func TestFiltersSkipRowGroups(t *testing.T) {
	rows := randomLabels(newRand(), 3*chunkRows)
	for i := range rows {
		rows[i].Depth = int32(i / chunkRows)
	}
	for _, ext := range extensions {
		table := tableOf(t, ext, rows)
		groups := 0
		found := 0
		read := int64(0)
		q := Query{Columns: []string{"depth"}, Where: "depth=1", Progress: func(done, _ int64, _ string) { read = done }}
		testkit.NoError(t, Fold(t.Context(), table, q, 1, func() *int { return &groups },
			func(_ *int, b *Batch) error { found += b.Len(); return nil }, func(*int) error { groups++; return nil }))
		if found != chunkRows || read != int64(len(rows)) || ext == ".parquet" && groups != 1 {
			t.Errorf("%s: %d rows in %d groups, %d rows read", ext, found, groups, read)
		}
		for b, err := range table.Batches(t.Context(), q) {
			testkit.NoError(t, err)
			if row := b.Row(0); row < chunkRows || row >= 2*chunkRows {
				t.Errorf("%s: row %d", ext, row)
			}
		}
	}
}

// Formats whose library fails in known ways. They are set in a variable, since a child becomes a
// decoder in init, which runs after variables are initialised.
var _ = func() bool {
	for ext, fail := range map[string]func(){
		".loop": func() { select {} },
		".spin": func() {
			for n := 0; n >= 0; n &= 1 {
			}
		},
		".panic": func() { go func() { panic("runtime error: index out of range [5] with length 3") }(); select {} },
		".hog": func() {
			for all := ([][]byte)(nil); ; {
				all = append(all, make([]byte, 1<<24))
				runtime.KeepAlive(all)
			}
		},
		".exit": func() { os.Exit(0) },
	} {
		formats[ext] = format{
			name: ext[1:], usesLibrary: true,
			open: func(source, memory.Allocator) (contents, error) { return failing{fail: fail}, nil },
		}
	}
	return true
}()

// failing is a file on which a library fails.
type failing struct {
	contents
	fail func()
}

func (failing) describe() (description, error) {
	return description{Names: []string{"board", "label"}}, nil
}

func (f failing) groups() iter.Seq2[group, error] {
	return func(yield func(group, error) bool) { yield(failingGroup{fail: f.fail}, nil) }
}

type failingGroup struct {
	group
	fail func()
}

func (g failingGroup) batches(cols []column, _ []int) iter.Seq[error] {
	return func(yield func(error) bool) {
		cols[0].texts = []string{startBoard}
		cols[1].texts = []string{"1"}
		yield(nil)
		g.fail()
	}
}

// A failing library ends only its own process, with an error that names the file.
func TestALibraryFailureIsAnErrorOfTheFile(t *testing.T) {
	for ext, want := range map[string]string{
		".loop":  "made no progress for 1s; write the file again",
		".spin":  "made no progress for 1s; write the file again",
		".panic": "cannot be read (index out of range [5] with length 3): it is damaged, or of a kind",
		".hog":   "asks for more than 1024 MiB of memory",
		".exit":  "the process that decodes it ended early",
	} {
		t.Run(ext[1:], func(t *testing.T) {
			how := ImportOptions{}
			if strings.Contains(want, "no progress for") {
				how.decoding.timeout = time.Second
			}
			path := filepath.Join(t.TempDir(), "theirs"+ext)
			testkit.Write(t, path, []byte("x"))
			_, _, err := labelsOf(t, path, how)
			wantError(t, err, path, want)
		})
	}
}

// The end of the context ends the child.
func TestCancellingTheContextEndsTheChild(t *testing.T) {
	path := filepath.Join(t.TempDir(), "theirs.loop")
	testkit.Write(t, path, []byte("x"))
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	start := time.Now()
	var last error
	for _, err := range importRows(ctx, path, ImportOptions{}, new(Rejected)) {
		last = err
	}
	if !errors.Is(last, context.Canceled) || time.Since(start) > childTimeout/3 {
		t.Errorf("error %v after %v, expected %v soon", last, time.Since(start), context.Canceled)
	}
}

// A child exits when its input is closed, even in the middle of its work, so it cannot outlive its
// parent.
func TestAChildExitsWithItsParent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "theirs.spin")
	testkit.Write(t, path, []byte("x"))
	self, err := os.Executable()
	testkit.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), decoderEnv+"=1")
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	testkit.NoError(t, err)
	testkit.NoError(t, gob.NewEncoder(in).Encode(request{Path: path, Names: []string{"board", "label"}, Memory: childMemory}))
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		t.Fatalf("it has ended by itself: %v", err)
	case <-time.After(300 * time.Millisecond):
	}
	in.Close()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		cmd.Process.Kill()
		t.Error("it is still running without an input")
	}
}

// Output that is not a message ends the child, and cells longer than any board are refused.
func TestChildMessagesAreLimited(t *testing.T) {
	for _, sent := range []string{"", "?", "\x03\xff\xff", "\xf8\xff\xff\xff\xff\xff\xff\xff\xff"} {
		from := gob.NewDecoder(strings.NewReader(sent))
		if _, err := nextMessage(from); !errors.Is(err, errTruncated) {
			t.Errorf("%q: error %v, expected %v", sent, err, errTruncated)
		}
	}
	path := filepath.Join(t.TempDir(), "theirs.csv")
	testkit.Write(t, path, []byte("a,b\nab,\n1\n"+strings.Repeat("x", maxCell+1)+",\n"))
	var sent bytes.Buffer
	testkit.NoError(t, request{Path: path, Names: []string{"a", "b"}}.serve(gob.NewEncoder(&sent)))
	from := gob.NewDecoder(&sent)
	var got []string
	for {
		m, err := nextMessage(from)
		if err != nil {
			wantError(t, err, ":4: a text of 1048577 bytes")
			break
		}
		got = append(got, fmt.Sprintf("%s %q", m.Row.Place, m.Row.Cells))
	}
	if strings.Join(got, "|") != `:2 ["ab" ""]|:3 []` {
		t.Errorf("%q", got)
	}
}
