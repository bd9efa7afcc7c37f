package wal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "kroo/internal/testenv" // temporary folders in memory
	"kroo/internal/testkit"
	"kroo/internal/vfs"
)

// build returns the bytes of a log and the end of each of its records, the header first. It is a
// second implementation of the format.
func build(header string, records ...string) (file []byte, ends []int) {
	file = []byte(Magic)
	for _, payload := range append([]string{header}, records...) {
		file = appendRecord(file, []byte(payload))
		ends = append(ends, len(file))
	}
	return file, ends
}

// reopen opens the log, closes it and returns its contents. It does not touch a log without a
// header, which Open would rewrite.
func reopen(path string) (header string, records []string, torn int64, err error) {
	before, err := Inspect(path, nil)
	if errors.Is(err, errNoHeader) {
		return "", nil, 0, err
	}
	l, err := Open(path, nil,
		func(b []byte) error { header = string(b); return nil },
		func(b []byte) error { records = append(records, string(b)); return nil })
	if err != nil {
		return header, records, 0, err
	}
	return header, records, before.Lost, l.Close()
}

func TestReopenReturnsAppendedRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.log")
	l, err := Open(path, []byte("made by a test"), nil, nil)
	testkit.NoError(t, err)
	want := []string{"one", "", strings.Repeat("long", 50_000), "four"}
	for i, r := range want {
		if i == 2 { // across Close and Open
			testkit.NoError(t, l.Close())
			l = testkit.Must(Open(path, []byte("not taken"), nil, nil))(t)
		}
		testkit.NoError(t, l.Append([]byte(r)))
	}
	testkit.NoError(t, l.Close())
	header, got, torn, err := reopen(path)
	if err != nil || header != "made by a test" || !slices.Equal(got, want) || torn != 0 {
		t.Errorf("header %q, %d records, %d torn, error %v", header, len(got), torn, err)
	}
	content, _ := os.ReadFile(path)
	if twin, _ := build("made by a test", want...); !bytes.Equal(content, twin) {
		t.Error("the file is not magic, header and records")
	}
}

func TestFailedCreateLeavesNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.log")
	if _, err := Open(path, make([]byte, MaxRecord+1), nil, nil); err == nil {
		t.Fatal("a header beyond the limit was accepted")
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("stat: %v, want no file", err)
	}
	if _, err := Open(filepath.Join(path, "none", "a.log"), nil, nil, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a missing folder: %v", err)
	}
}

// A log truncated anywhere after its header contains the whole records before the cut and
// accepts new ones; one truncated inside its header gives an error.
func TestTornAtEveryByte(t *testing.T) {
	records := []string{"first", "", "third record", "x"}
	file, ends := build("head", records...)
	path := filepath.Join(t.TempDir(), "a.log")
	for cut := range len(file) + 1 {
		testkit.Write(t, path, file[:cut])
		whole := 0
		for whole < len(ends) && ends[whole] <= cut {
			whole++
		}
		_, got, torn, err := reopen(path)
		if whole == 0 {
			if !errors.Is(err, errNoHeader) || !strings.Contains(err.Error(), path) {
				t.Fatalf("cut at %d: error %v, want ErrNoHeader and the file's name", cut, err)
			}
			continue
		}
		if err != nil || !slices.Equal(got, records[:whole-1]) || torn != int64(cut-ends[whole-1]) {
			t.Fatalf("cut at %d: %q, %d torn, error %v", cut, got, torn, err)
		}
		l, err := Open(path, nil, nil, nil)
		if err != nil {
			t.Fatalf("cut at %d: second open: %v", cut, err)
		}
		testkit.NoError(t, l.Append([]byte("new")), l.Close())
		want := append(slices.Clone(records[:whole-1]), "new")
		if _, got, _, err = reopen(path); err != nil || !slices.Equal(got, want) {
			t.Fatalf("cut at %d and appended to: %q, error %v", cut, got, err)
		}
	}
}

// Damage to the last record is a torn tail; damage before it gives an error with the offset, and
// does not change the file.
func TestFlippedAtEveryByte(t *testing.T) {
	records := []string{"first", "", "third record", "last"}
	file, ends := build("head", records...)
	last := ends[len(ends)-2]
	path := filepath.Join(t.TempDir(), "a.log")
	for at := range file {
		for _, flip := range []byte{1, 0x80, 0xff} {
			bad := bytes.Clone(file)
			bad[at] ^= flip
			testkit.Write(t, path, bad)
			_, got, torn, err := reopen(path)
			switch {
			case at < len(Magic):
				testkit.Refused(t, err, "not a log")
			case at < last:
				start := len(Magic)
				for _, e := range ends {
					if e <= at {
						start = e
					}
				}
				if !errors.Is(err, errDamaged) || !strings.Contains(err.Error(), fmt.Sprintf("offset %d", start)) ||
					!strings.Contains(err.Error(), path) {
					t.Fatalf("byte %d: error %v, want damaged, %s, offset %d", at, err, path, start)
				}
				if now, _ := os.ReadFile(path); !bytes.Equal(now, bad) {
					t.Fatalf("byte %d: the refused file was changed", at)
				}
			default:
				if err != nil || !slices.Equal(got, records[:3]) || torn != int64(len(file)-last) {
					t.Fatalf("byte %d: %q, %d torn, error %v", at, got, torn, err)
				}
			}
		}
	}
}

// Bytes lost in the middle shift the whole records after them, which must be found and not cut
// off as a torn tail.
func TestBytesMissingInTheMiddle(t *testing.T) {
	file, ends := build("head", "first", "second", "third", "fourth")
	path := filepath.Join(t.TempDir(), "a.log")
	for at := ends[0]; at < ends[1]; at++ {
		testkit.Write(t, path, append(bytes.Clone(file[:at]), file[at+1:]...))
		if _, _, _, err := reopen(path); !errors.Is(err, errDamaged) {
			t.Fatalf("byte %d missing: error %v", at, err)
		}
	}
}

// A power failure can leave a file longer than the data, filled with zeros.
func TestZerosAtTheEndAreTorn(t *testing.T) {
	file, _ := build("head", "first")
	path := filepath.Join(t.TempDir(), "a.log")
	testkit.Write(t, path, append(file, make([]byte, 5000)...))
	if _, got, torn, err := reopen(path); err != nil || !slices.Equal(got, []string{"first"}) || torn != 5000 {
		t.Errorf("%q, %d torn, error %v", got, torn, err)
	}
}

// A length is used only if its checksum is right, and then only up to the size of the file:
// these heads ask for up to 4 GB.
func TestExcessiveLengths(t *testing.T) {
	file, _ := build("head", "first")
	path := filepath.Join(t.TempDir(), "a.log")
	for _, length := range []uint32{17, MaxRecord, MaxRecord + 1, 1<<31 - 1, 1 << 31, 1<<32 - 1} {
		testkit.Write(t, path, append(bytes.Clone(file), headOf(length)...))
		var got []string
		allocated := testing.AllocsPerRun(1, func() { _, got, _, _ = reopen(path) })
		if len(got) != 1 || allocated > 100 {
			t.Errorf("length %d: %q, %.0f allocations", length, got, allocated)
		}
	}
}

// headOf returns the head of an empty payload with another length and a correct checksum.
func headOf(length uint32) []byte {
	h := appendRecord(nil, nil)
	h[0], h[1], h[2], h[3] = byte(length), byte(length>>8), byte(length>>16), byte(length>>24)
	return fixHead(h)
}

// Many heads whose payloads overlap would make the search for whole records quadratic: Open
// gives up and returns an error.
func TestOverlappingHeadsAreRefusedQuickly(t *testing.T) {
	file, _ := build("head")
	file = append(file, 1, 2, 3)
	for n := uint32(1 << 17); n > 0; n-- {
		file = append(file, headOf(n*headSize)...)
	}
	path := filepath.Join(t.TempDir(), "a.log")
	testkit.Write(t, path, append(file, make([]byte, 2*headSize)...))
	if _, _, _, err := reopen(path); !errors.Is(err, errDamaged) {
		t.Errorf("error %v, want damaged", err)
	}
}

func TestNotALog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.log")
	testkit.Write(t, path, []byte("[Event \"a game record\"]"))
	_, _, _, err := reopen(path)
	testkit.Refused(t, err, path, "not a log")
}

func TestCallbackErrorsStopTheReading(t *testing.T) {
	file, _ := build("head", "a", "b", "c")
	path := filepath.Join(t.TempDir(), "a.log")
	testkit.Write(t, path, file)
	stop := errors.New("stop")
	if _, err := Open(path, nil, func([]byte) error { return stop }, nil); !errors.Is(err, stop) {
		t.Errorf("header: %v", err)
	}
	n := 0
	_, err := Open(path, nil, nil, func([]byte) error {
		if n++; n == 2 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || n != 2 || !strings.Contains(err.Error(), "record 1") {
		t.Errorf("record: %v after %d", err, n)
	}
	if _, _, _, err := reopen(path); err != nil { // the lock was released
		t.Error(err)
	}
}

func TestRecordBeyondTheLimit(t *testing.T) {
	l := testkit.Must(Open(filepath.Join(t.TempDir(), "a.log"), nil, nil, nil))(t)
	defer l.Close()
	if err := l.Append(make([]byte, MaxRecord+1)); err == nil {
		t.Error("accepted")
	}
	if err := l.Append([]byte("still works")); err != nil {
		t.Error(err)
	}
}

func TestClosedLogAcceptsNothing(t *testing.T) {
	l := testkit.Must(Open(filepath.Join(t.TempDir(), "a.log"), nil, nil, nil))(t)
	testkit.NoError(t, l.Close())
	for name, err := range map[string]error{"append": l.Append(nil), "sync": l.Sync(), "close": l.Close()} {
		if !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: %v, want closed", name, err)
		}
	}
}

// After a failed write nothing more is written: a whole record after half a record would be
// damage in the middle.
func TestNothingIsWrittenAfterAFailure(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.log")
	l, err := Open(path, []byte("head"), nil, nil)
	testkit.NoError(t, err)
	good := l.f
	if l.f, err = vfs.Open(path); err != nil { // writes to this file fail
		t.Fatal(err)
	}
	first := l.Append([]byte("lost"))
	l.f.Close()
	l.f = good
	if second := l.Append([]byte("not taken")); first == nil || second != first {
		t.Errorf("errors %v and %v, want the first one twice", first, second)
	}
	if err := l.Close(); err != first {
		t.Errorf("close: %v, want the first error", err)
	}
	if _, got, _, err := reopen(path); err != nil || len(got) != 0 {
		t.Errorf("%q, error %v", got, err)
	}
}

func TestSecondWriterIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.log")
	l, err := Open(path, nil, nil, nil)
	testkit.NoError(t, err)
	_, err = Open(path, nil, nil, nil)
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want locked", err)
	}
	out, err := inChild(path).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != path+": "+ErrLocked.Error() {
		t.Errorf("another process: %q, %v", out, err)
	}
	testkit.NoError(t, l.Close())
	out, err = inChild(path).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "opened" {
		t.Errorf("another process, after close: %q, %v", out, err)
	}
}

const childEnv = "WAL_TEST_CHILD"

func inChild(path string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+path)
	return cmd
}

// TestMain acts as the other process when asked to.
func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		l, err := Open(path, nil, nil, nil)
		if err != nil {
			fmt.Println(err)
			os.Exit(0)
		}
		l.Close()
		fmt.Println("opened")
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Compares the log with a plain slice, under random appends, reopenings and crashes that
// truncate the file after a whole record.
func TestAgainstASlice(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		path := filepath.Join(dir, "a.log")
		os.Remove(path)
		l, err := Open(path, []byte("head"), nil, nil)
		testkit.NoError(t, err)
		defer func() { l.Close() }()
		var want []string
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				r := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "record")
				testkit.NoError(t, l.Append(r))
				want = append(want, string(r))
			},
			"crash": func(t *rapid.T) {
				l.Close()
				_, ends := build("head", want...)
				keep := rapid.IntRange(0, len(want)).Draw(t, "keep")
				cut := ends[keep]
				if keep < len(want) {
					cut = rapid.IntRange(cut, ends[keep+1]-1).Draw(t, "cut")
				}
				testkit.NoError(t, os.Truncate(path, int64(cut)))
				want = want[:keep]
			},
			"": func(t *rapid.T) {
				l.Close()
				var got []string
				l, err = Open(path, nil, nil, func(b []byte) error { got = append(got, string(b)); return nil })
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("got %q, want %q, error %v", got, want, err)
				}
			},
		})
	})
}

func TestAppendAllocatesNothing(t *testing.T) {
	l := testkit.Must(Open(filepath.Join(t.TempDir(), "a.log"), nil, nil, nil))(t)
	defer l.Close()
	record := make([]byte, 100)
	testkit.Equal(t, testing.AllocsPerRun(100, func() { l.Append(record) }), 0, "testing.AllocsPerRun")
}

// Every file gives an error or contains, after Open, exactly the records that Open returned.
func FuzzOpen(f *testing.F) {
	file, ends := build("head", "first", "", "third record")
	f.Add(file)
	f.Add(file[:ends[1]+3])
	f.Add(append(bytes.Clone(file), headOf(1<<30)...))
	f.Add([]byte(Magic))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "a.log")
		testkit.Write(t, path, content)
		header, records, torn, err := reopen(path)
		now, _ := os.ReadFile(path)
		if err != nil {
			if !bytes.Equal(now, content) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("refused file changed, or error of many lines: %v", err)
			}
			return
		}
		twin, _ := build(header, records...)
		if !bytes.Equal(now, twin) || int64(len(now))+torn != int64(len(content)) || !bytes.HasPrefix(content, now) {
			t.Fatalf("accepted %d bytes as %d records, the file is not those", len(content), len(records))
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	l := testkit.Must(Open(filepath.Join(b.TempDir(), "a.log"), nil, nil, nil))(b)
	defer l.Close()
	record := make([]byte, 40)
	b.ReportAllocs()
	for b.Loop() {
		testkit.NoError(b, l.Append(record))
	}
}

// BenchmarkOpen reopens a log of 100 000 records of 40 bytes.
func BenchmarkOpen(b *testing.B) {
	file := []byte(Magic)
	for range 100_001 {
		file = appendRecord(file, make([]byte, 40))
	}
	path := filepath.Join(b.TempDir(), "a.log")
	testkit.Write(b, path, file)
	for b.Loop() {
		n := 0
		l, err := Open(path, nil, nil, func([]byte) error { n++; return nil })
		if err != nil || n != 100_000 {
			b.Fatal(n, err)
		}
		l.Close()
	}
}

// fixHead corrects the checksum of a head.
func fixHead(h []byte) []byte {
	return binary.LittleEndian.AppendUint32(h[:8:8], crc32.Checksum(h[:8], castagnoli))
}

func TestOpenCreates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	check := func(head []byte) error {
		if string(head) != "head" {
			return errors.New("another header")
		}
		return nil
	}
	// Missing, truncated inside the header at any byte, then whole.
	l := testkit.Must(Open(path, []byte("head"), check, nil))(t)
	testkit.NoError(t, l.Close())
	whole := testkit.Read(t, path)
	for n := range len(whole) {
		testkit.NoError(t, os.WriteFile(path, whole[:n], 0o644))
		l, err := Open(path, []byte("head"), check, nil)
		if err != nil {
			t.Fatalf("header cut to %d bytes: %v", n, err)
		}
		testkit.NoError(t, l.Append([]byte("record")), l.Close())
		found := 0
		l, err = Open(path, []byte("head"), check, func([]byte) error { found++; return nil })
		if err != nil || found != 1 {
			t.Fatalf("header cut to %d bytes: then %d records, %v: want 1", n, found, err)
		}
		l.Close()
	}
	if _, err := Open(path, []byte("other"), func([]byte) error { return errors.New("refused") }, nil); err == nil {
		t.Error("a log that the caller refuses was opened")
	}
}
