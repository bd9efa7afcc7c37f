package journal

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
	"sync"
	"sync/atomic"
	"testing"

	_ "kroo/internal/testenv" // temporary folders in memory
	"kroo/internal/testkit"
	"kroo/internal/vfs"
	"kroo/internal/vfs/faults"
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
	before, err := Inspect(path)
	if errors.Is(err, errNoHeader) {
		return "", nil, 0, err
	}
	l, err := openRecordFile(path, nil,
		func(b []byte) error { header = string(b); return nil },
		func(b []byte) error { records = append(records, string(b)); return nil })
	if err != nil {
		return header, records, 0, err
	}
	return header, records, before.Lost, l.Close()
}

func TestReopenReturnsAppendedRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.log")
	l, err := openRecordFile(path, []byte("made by a test"), skipRecord, skipRecord)
	testkit.NoError(t, err)
	want := []string{"one", "", strings.Repeat("long", 50_000), "four"}
	for i, r := range want {
		if i == 2 { // across Close and Open
			testkit.NoError(t, l.Close())
			l = testkit.Must(openRecordFile(path, []byte("not taken"), skipRecord, skipRecord))(t)
		}
		testkit.NoError(t, l.append([]byte(r)))
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
	if _, err := openRecordFile(path, make([]byte, maxRecord+1), skipRecord, skipRecord); err == nil {
		t.Fatal("a header beyond the limit was accepted")
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("stat: %v, want no file", err)
	}
	if _, err := openRecordFile(filepath.Join(path, "none", "a.log"), nil, skipRecord, skipRecord); !errors.Is(err, fs.ErrNotExist) {
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
		l, err := openRecordFile(path, nil, skipRecord, skipRecord)
		if err != nil {
			t.Fatalf("cut at %d: second open: %v", cut, err)
		}
		testkit.NoError(t, l.append([]byte("new")), l.Close())
		want := append(slices.Clone(records[:whole-1]), "new")
		_, got, _, err = reopen(path)
		if err != nil || !slices.Equal(got, want) {
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
				testkit.ErrorContains(t, err, "not a log")
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
	for _, length := range []uint32{17, maxRecord, maxRecord + 1, 1<<31 - 1, 1 << 31, 1<<32 - 1} {
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
	h[0] = byte(length)
	h[1] = byte(length >> 8)
	h[2] = byte(length >> 16)
	h[3] = byte(length >> 24)
	return fixHead(h)
}

// Many heads whose payloads overlap would make the search for whole records quadratic: Open
// gives up and returns an error.
func TestOverlappingHeadsAreRefusedQuickly(t *testing.T) {
	file, _ := build("head")
	file = append(file, 1, 2, 3)
	for n := uint32(1 << 17); n > 0; n-- {
		file = append(file, headOf(n*recordHeaderSize)...)
	}
	path := filepath.Join(t.TempDir(), "a.log")
	testkit.Write(t, path, append(file, make([]byte, 2*recordHeaderSize)...))
	if _, _, _, err := reopen(path); !errors.Is(err, errDamaged) {
		t.Errorf("error %v, want damaged", err)
	}
}

func TestRecordBeyondTheLimit(t *testing.T) {
	l := testkit.Must(openRecordFile(filepath.Join(t.TempDir(), "a.log"), nil, skipRecord, skipRecord))(t)
	defer l.Close()
	if err := l.append(make([]byte, maxRecord+1)); err == nil {
		t.Error("accepted")
	}
	if err := l.append([]byte("still works")); err != nil {
		t.Error(err)
	}
}

func TestClosedLogAcceptsNothing(t *testing.T) {
	l := testkit.Must(openRecordFile(filepath.Join(t.TempDir(), "a.log"), nil, skipRecord, skipRecord))(t)
	testkit.NoError(t, l.Close())
	for name, err := range map[string]error{"append": l.append(nil), "sync": l.sync(), "close": l.Close()} {
		if !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: %v, want closed", name, err)
		}
	}
}

// After a failed write nothing more is written: a whole record after half a record would be
// damage in the middle.
func TestNothingIsWrittenAfterAFailure(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.log")
	l, err := openRecordFile(path, []byte("head"), skipRecord, skipRecord)
	testkit.NoError(t, err)
	good := l.f
	l.f, err = vfs.Open(path)
	if err != nil { // writes to this file fail
		t.Fatal(err)
	}
	first := l.append([]byte("lost"))
	l.f.Close()
	l.f = good
	if second := l.append([]byte("not taken")); first == nil || second != first {
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
	l, err := openRecordFile(path, nil, skipRecord, skipRecord)
	testkit.NoError(t, err)
	_, err = openRecordFile(path, nil, skipRecord, skipRecord)
	if !errors.Is(err, vfs.ErrLocked) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want locked", err)
	}
	out, err := inChild(path).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != path+": "+vfs.ErrLocked.Error() {
		t.Errorf("another process: %q, %v", out, err)
	}
	testkit.NoError(t, l.Close())
	out, err = inChild(path).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "opened" {
		t.Errorf("another process, after close: %q, %v", out, err)
	}
}

const childEnv = "JOURNAL_TEST_CHILD"

func inChild(path string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+path)
	return cmd
}

// TestMain acts as the other process when asked to.
func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		l, err := openRecordFile(path, nil, skipRecord, skipRecord)
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
	l := testkit.Must(openRecordFile(path, []byte("head"), check, skipRecord))(t)
	testkit.NoError(t, l.Close())
	whole := testkit.Read(t, path)
	for n := range len(whole) {
		testkit.NoError(t, os.WriteFile(path, whole[:n], 0o644))
		l, err := openRecordFile(path, []byte("head"), check, skipRecord)
		if err != nil {
			t.Fatalf("header cut to %d bytes: %v", n, err)
		}
		testkit.NoError(t, l.append([]byte("record")), l.Close())
		found := 0
		l, err = openRecordFile(path, []byte("head"), check, func([]byte) error { found++; return nil })
		if err != nil || found != 1 {
			t.Fatalf("header cut to %d bytes: then %d records, %v: want 1", n, found, err)
		}
		l.Close()
	}
	if _, err := openRecordFile(path, []byte("other"), func([]byte) error { return errors.New("refused") }, skipRecord); err == nil {
		t.Error("a log that the caller refuses was opened")
	}
}

// Every file is refused unchanged, or opens with exactly the records that it returned; a damaged one
// does after it was salvaged.
func FuzzLog(f *testing.F) {
	file, ends := build("head", "first", "", "third record")
	f.Add(file)
	f.Add(file[:ends[1]+3])
	f.Add(append(bytes.Clone(file), headOf(1<<30)...))
	f.Add(slices.Replace(bytes.Clone(file), ends[0]+recordHeaderSize, ends[0]+recordHeaderSize+1, 1))
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
			c, err := Inspect(path)
			if err != nil {
				return
			}
			if kept, err := salvage(path); err != nil || kept.Records != c.Records || kept.Bytes+kept.Lost != int64(len(content)) {
				t.Fatalf("%+v, inspected %+v, error %v", kept, c, err)
			}
			_, records, torn, err = reopen(path)
			if err != nil || int64(len(records)) != c.Records || torn != 0 {
				t.Fatalf("salvaged: %d records, %d torn, %v", len(records), torn, err)
			}
			return
		}
		twin, _ := build(header, records...)
		if !bytes.Equal(now, twin) || int64(len(now))+torn != int64(len(content)) || !bytes.HasPrefix(content, now) {
			t.Fatalf("accepted %d bytes as %d records, the file is not those", len(content), len(records))
		}
	})
}

// A log with one flipped byte in the middle gives an error with a remedy, and the remedy keeps
// the records before the damage.
func TestSalvageKeepsWhatIsBeforeTheDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	log := testkit.Must(openRecordFile(path, []byte("header"), skipRecord, skipRecord))(t)
	for i := range 5 {
		testkit.NoError(t, log.append(fmt.Append(nil, "record ", i)))
	}
	testkit.NoError(t, log.Close())
	whole := testkit.Read(t, path)
	if c, err := salvage(path); err != nil || c.Damaged || c.Records != 5 || c.Lost != 0 {
		t.Fatalf("a whole log: %+v, %v", c, err)
	}
	bad := bytes.Clone(whole)
	bad[bytes.Index(bad, []byte("record 2"))] ^= 1
	testkit.NoError(t, os.WriteFile(path, bad, 0o644))
	if _, err := openRecordFile(path, nil, skipRecord, skipRecord); !errors.Is(err, errDamaged) || !strings.Contains(err.Error(), "--salvage") {
		t.Fatalf("%v, want errDamaged and the remedy", err)
	}
	c, err := salvage(path)
	if err != nil || !c.Damaged || c.Records != 2 || c.Bytes+c.Lost != int64(len(whole)) || string(c.header) != "header" {
		t.Fatalf("%+v, %v: want 2 records kept", c, err)
	}
	if kept, err := os.ReadFile(path + damagedSuffix); err != nil || !bytes.Equal(kept, bad) {
		t.Error("the damaged log was not kept", err)
	}
	var found []string
	log, err = openRecordFile(path, nil, skipRecord, func(b []byte) error { found = append(found, string(b)); return nil })
	if err != nil || strings.Join(found, ",") != "record 0,record 1" {
		t.Fatal(found, err)
	}
	if _, err := salvage(path); !errors.Is(err, vfs.ErrLocked) {
		t.Errorf("a log in use: %v", err)
	}
	log.Close()
	if c, err := Inspect(path); err != nil || c.Records != 2 || c.Damaged {
		t.Errorf("%+v, %v", c, err)
	}
}

// Whichever call fails, earlier records survive, the next record is whole or absent, and the log
// accepts more.
func TestFaultsLoseNoRecord(t *testing.T) {
	name := func(dir string) string { return filepath.Join(dir, "a.log") }
	add := func(dir, record string) error {
		l, err := openRecordFile(name(dir), []byte("head"), skipRecord, skipRecord)
		if err != nil {
			return err
		}
		return errors.Join(l.append([]byte(record)), l.Close())
	}
	for _, had := range [][]string{nil, {"first", "second"}} {
		faults.Each(t,
			func(dir string) {
				for _, record := range had {
					testkit.NoError(t, add(dir, record))
				}
			},
			func(dir string) error { return add(dir, "third") },
			func(dir, _ string, failed error) {
				want := slices.Concat(had, []string{"third"})
				if err := add(dir, "fourth"); err != nil {
					t.Error(err)
				}
				_, got, torn, err := reopen(name(dir))
				whole := slices.Equal(got, append(want, "fourth"))
				if !whole && (failed == nil || !slices.Equal(got, slices.Concat(had, []string{"fourth"}))) || torn > 0 || err != nil {
					t.Errorf("%q, %d torn, %v", got, torn, err)
				}
			})
	}
}

// Whichever call of a salvage fails, the damaged log or a copy of it is intact, and the next
// salvage works.
func TestFaultsOfSalvageLoseNothing(t *testing.T) {
	file, ends := build("head", "first", "second", "third")
	file[ends[1]+recordHeaderSize] ^= 1
	name := func(dir string) string { return filepath.Join(dir, "a.log") }
	faults.Each(t,
		func(dir string) { testkit.Write(t, name(dir), file) },
		func(dir string) error { _, err := salvage(name(dir)); return err },
		func(dir, _ string, _ error) {
			there, _ := os.ReadFile(name(dir))
			saved, _ := os.ReadFile(name(dir) + damagedSuffix)
			if string(there) != string(file) && string(saved) != string(file) {
				t.Error("the damaged log is lost")
			}
			if _, err := salvage(name(dir)); err != nil {
				t.Error(err)
			}
			if _, got, _, err := reopen(name(dir)); err != nil || !slices.Equal(got, []string{"first"}) {
				t.Errorf("%q, %v", got, err)
			}
		})
}

// When many goroutines open, use and remove one log, each has it exclusively, and writes to the
// file that has the name.
func TestOpenIsExclusive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	var inside, had atomic.Int32
	use := func() error {
		l, err := openRecordFile(path, []byte("head"), skipRecord, skipRecord)
		if errors.Is(err, vfs.ErrLocked) {
			return nil
		}
		if err != nil {
			return err
		}
		defer l.Close()
		testkit.Equal(t, inside.Add(1), 1, "inside.Add")
		had.Add(1)
		there, err := os.Lstat(path)
		if err != nil {
			return err
		}
		if here, err := l.f.Stat(); err != nil || !os.SameFile(here, there) {
			t.Errorf("%v, or the log has no name", err)
		}
		err = l.append([]byte("record"))
		inside.Add(-1)
		return errors.Join(err, vfs.Remove(path)) // before releasing the lock
	}
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			for range 100 {
				if err := use(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if had.Load() == 0 {
		t.Error("the log was never opened")
	}
}
