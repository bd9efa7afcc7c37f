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

	"kroo/internal/testkit"
)

// sealed returns a manifest with figures, and its file.
func sealed(t *testing.T) (*Manifest, string, []byte) {
	t.Helper()
	m := newManifest("seed = 1")
	m.Stages = []StageRecord{{Name: "match", Key: "k", Outputs: map[string]string{"match.ogn": "abc"}, Figures: json.RawMessage(`{"won":6,"name":"<a & b>"}`)}}
	dir := t.TempDir()
	testkit.NoError(t, m.write(dir))
	path := filepath.Join(dir, ManifestFile)
	data := testkit.Read(t, path)
	return m, path, data
}

// Every flipped bit of a manifest is detected or harmless.
func TestFlippedBitsOfAManifestAreNoticed(t *testing.T) {
	m, path, data := sealed(t)
	want := testkit.Must(json.Marshal(m))(t)
	for bit := range 8 * len(data) {
		bad := bytes.Clone(data)
		bad[bit/8] ^= 1 << (bit % 8)
		testkit.NoError(t, os.WriteFile(path, bad, 0o644))
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

// Manifests of an older version, without a seal, can be read.
func TestManifestWithoutSeal(t *testing.T) {
	m, path, data := sealed(t)
	var fields map[string]any
	testkit.NoError(t, json.Unmarshal(data, &fields))
	delete(fields, "seal")
	fields["version"] = 1
	old := testkit.Must(json.Marshal(fields))(t)
	testkit.NoError(t, os.WriteFile(path, old, 0o644))
	found, err := ReadManifest(path)
	if err != nil || !reflect.DeepEqual(found.stage("match").Outputs, m.stage("match").Outputs) {
		t.Fatal(found, err)
	}
	testkit.NoError(t, found.write(filepath.Dir(path)))
	if found, err = ReadManifest(path); err != nil || found.Version != manifestVersion {
		t.Error(found, err)
	}
}

// A run that was killed at its very beginning left a temporary file, or a configuration without
// a manifest. It can be started or resumed.
func TestKilledAtTheBeginning(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	testkit.NoError(t, os.Mkdir(dir, 0o777))
	left := filepath.Join(dir, ".config.toml.tmp-0123abcd")
	testkit.NoError(t, os.WriteFile(left, []byte("rul"), 0o644))
	killed := testkit.Must(New(dir, tiny, "tiny"))(t)
	killed.Close()
	if _, err := os.Stat(left); err == nil {
		t.Error("the temporary file is still there")
	}
	testkit.NoError(t, os.Remove(filepath.Join(dir, ManifestFile)))
	last, err := LastUnfinished(filepath.Dir(dir))
	if err != nil || last != dir {
		t.Fatalf("last unfinished run: %q, %v", last, err)
	}
	r := testkit.Must(Resume(last))(t)
	testkit.NoError(t, r.Go(context.Background(), &watcher{}))
}

// A file that is no manifest, of any size, takes little memory.
func TestLargeManifestIsNotReadWhole(t *testing.T) {
	const size = 1 << 29
	path := filepath.Join(t.TempDir(), ManifestFile)
	testkit.NoError(t, os.WriteFile(path, []byte("{"), 0o666), os.Truncate(path, size)) // a sparse file
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := ReadManifest(path)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; err == nil || took > size/2 {
		t.Errorf("error %v, %d bytes allocated", err, took)
	}
}

// A run of an older build would repeat everything, so resuming it is an error.
func TestRunOfAnOlderBuildCannotBeResumed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "old")
	r := testkit.Must(New(dir, tiny, "tiny"))(t)
	m := newManifest(tiny)
	m.Version = 2
	m.Seal = testkit.Must(m.seal())(t)
	text := testkit.Must(json.Marshal(m))(t)
	r.Close()
	testkit.Write(t, filepath.Join(dir, ManifestFile), text)
	_, err := Resume(dir)
	testkit.Refused(t, err, "older build")
}
