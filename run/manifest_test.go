package run

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// sealed is a manifest with figures, and its file.
func sealed(t *testing.T) (*Manifest, string, []byte) {
	t.Helper()
	m := newManifest("seed = 1")
	m.Stages = []StageRecord{{Name: "match", Key: "k", Outputs: map[string]string{"match.ogn": "abc"}, Figures: json.RawMessage(`{"won":6,"name":"<a & b>"}`)}}
	dir := t.TempDir()
	if err := m.write(dir); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, ManifestFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return m, path, data
}

// No flipped bit changes what a manifest says.
func TestFlippedBitsOfAManifestAreNoticed(t *testing.T) {
	m, path, data := sealed(t)
	want, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	for bit := range 8 * len(data) {
		bad := bytes.Clone(data)
		bad[bit/8] ^= 1 << (bit % 8)
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		found, err := ReadManifest(path)
		if err != nil {
			if !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n") {
				t.Errorf("bit %d: %q: want one line that names the file", bit, err)
			}
			continue
		}
		if text, _ := json.Marshal(found); !bytes.Equal(text, want) {
			t.Errorf("bit %d of %q changes the manifest to %s", bit, data[bit/8], text)
		}
	}
}

// A run of an older version, whose manifest has no seal, goes on.
func TestManifestWithoutSeal(t *testing.T) {
	m, path, data := sealed(t)
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	delete(fields, "seal")
	fields["version"] = 1
	old, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, old, 0o644); err != nil {
		t.Fatal(err)
	}
	found, err := ReadManifest(path)
	if err != nil || !reflect.DeepEqual(found.stage("match").Outputs, m.stage("match").Outputs) {
		t.Fatal(found, err)
	}
	if err := found.write(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	if found, err = ReadManifest(path); err != nil || found.Version != manifestVersion {
		t.Error(found, err)
	}
}

// A run that was killed at its very beginning left a temporary file, or a configuration
// without a manifest. It begins or goes on.
func TestKilledAtTheBeginning(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(dir, ".config.toml.tmp-0123abcd")
	if err := os.WriteFile(left, []byte("rul"), 0o644); err != nil {
		t.Fatal(err)
	}
	killed, err := New(dir, tiny, "tiny")
	if err != nil {
		t.Fatal(err)
	}
	killed.Close()
	if _, err := os.Stat(left); err == nil {
		t.Error("the temporary file is still there")
	}
	if err := os.Remove(filepath.Join(dir, ManifestFile)); err != nil {
		t.Fatal(err)
	}
	last, err := LastUnfinished(filepath.Dir(dir))
	if err != nil || last != dir {
		t.Fatalf("last unfinished run: %q, %v", last, err)
	}
	r, err := Resume(last)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Go(context.Background(), &watcher{}); err != nil {
		t.Fatal(err)
	}
}

// A file that is no manifest, of any size, takes little memory.
func TestLargeManifestIsNotReadWhole(t *testing.T) {
	const size = 1 << 29
	for name, read := range map[string]func(path string) error{
		ManifestFile: func(path string) error { _, err := ReadManifest(path); return err },
		TimesFile: func(path string) error {
			if list := Times(filepath.Dir(path)); list != nil {
				t.Errorf("times %v", list)
			}
			return os.ErrInvalid
		},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte("{"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, size); err != nil { // a hole
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := read(path)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; err == nil || took > size/2 {
			t.Errorf("%s of %d bytes: error %v, %d bytes allocated", name, size, err, took)
		}
	}
}
