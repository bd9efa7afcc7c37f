package run

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"kroo/internal/testkit"
)

// sealed returns a manifest with figures, and its file.
func sealed(t *testing.T) (*Manifest, string, []byte) {
	t.Helper()
	m := newManifest("seed = 1")
	m.Stages = []StageRecord{{Name: "match", Key: "k", Outputs: map[string]string{"match.ogn": "abc"}, Result: json.RawMessage(`{"won":6,"name":"<a & b>"}`)}}
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

// A manifest of another version, or without its seal, is refused.
func TestManifestOfAnotherVersionOrWithoutSeal(t *testing.T) {
	_, path, data := sealed(t)
	for key, want := range map[string]string{"version": "version 3: expected", "seal": "does not match its seal"} {
		var fields map[string]any
		testkit.NoError(t, json.Unmarshal(data, &fields))
		delete(fields, "seal")
		if key == "version" {
			fields[key] = manifestVersion - 1
		}
		testkit.Write(t, path, testkit.Must(json.Marshal(fields))(t))
		_, err := ReadManifest(path)
		testkit.ErrorContains(t, err, path, want)
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
	testkit.NoError(t, r.Execute(context.Background(), &watcher{}))
}

// The newest run that may be unfinished is damaged: no other one is resumed instead.
func TestLastUnfinishedRunIsDamaged(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	for i, name := range []string{"old", "damaged", "finished"} {
		run := filepath.Join(dir, name)
		r := testkit.Must(New(run, tiny, "tiny"))(t)
		if name == "finished" {
			r.manifest.Stages = []StageRecord{{Name: reportStageName, Result: json.RawMessage("{}")}}
			testkit.NoError(t, r.manifest.write(run))
		}
		r.Close()
		if name == "damaged" {
			testkit.NoError(t, os.WriteFile(r.path(ManifestFile), []byte("{"), 0o666))
		}
		when := now.Add(time.Duration(i) * time.Minute)
		testkit.NoError(t, os.Chtimes(run, when, when))
	}
	_, err := LastUnfinished(dir)
	testkit.ErrorContains(t, err, filepath.Join(dir, "damaged", ManifestFile), "--dir")
	before := now.Add(-time.Minute)
	testkit.NoError(t, os.Chtimes(filepath.Join(dir, "damaged"), before, before))
	last, err := LastUnfinished(dir)
	if err != nil || last != filepath.Join(dir, "old") {
		t.Errorf("an older run is damaged: %q, %v: expected the newest unfinished one", last, err)
	}
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

// The description of a folder has stages, times, results, and the missing and changed files.
func TestDescribeFolder(t *testing.T) {
	r, w := finished(t, tiny)
	testkit.NoError(t, os.Remove(r.path("match.ogn")))
	testkit.NoError(t, os.WriteFile(r.path(weightsFile), []byte("{}"), 0o666))
	s := testkit.Must(DescribeFolder(r.Dir))(t)
	f := s.Value.(folder)
	if len(f.Stages) != len(w.ran) || !f.Finished || len(f.Results) < 5 {
		t.Errorf("%+v, ran %v", f, w.ran)
	}
	if !slices.Equal(f.Missing, []string{"match.ogn"}) || !slices.Equal(f.Changed, []string{weightsFile}) {
		t.Errorf("missing %v, changed %v", f.Missing, f.Changed)
	}
	text := s.Text("run")
	testkit.Contains(t, text, "positions.parquet\n", "correlation R", "report.html", "missing:        match.ogn\n", "changed since:  weights.json\n\n")
	if strings.Contains(text, ".manifest.json") || strings.Contains(text, "goes on") {
		t.Errorf("more than a person asks for:\n%s", text)
	}
}

// The description of an unfinished run has the results of its finished stages, and the command
// that resumes it.
func TestDescribeFolderOfAnUnfinishedRun(t *testing.T) {
	r := stopped(t, tiny, "weights against captures", 0)
	s := testkit.Must(DescribeFolder(r.Dir))(t)
	text := s.Text("run")
	if f := s.Value.(folder); f.Finished || len(f.Results) != 3 || f.Results[0].Name != "mean error" || !strings.Contains(text, "to be done\n") || !strings.Contains(text, "run --resume --dir "+r.Dir) {
		t.Errorf("%+v\n%s", f, text)
	}
	_, err := DescribeFolder(t.TempDir())
	testkit.ErrorContains(t, err, "expected config.toml")
}

// A run that a process works on is in progress: it cannot be resumed.
func TestDescribeFolderOfARunInProgress(t *testing.T) {
	r := begun(t, tiny)
	defer r.Close()
	text := testkit.Must(DescribeFolder(r.Dir))(t).Text("run")
	if !strings.Contains(text, ", in progress") || strings.Contains(text, "--resume") {
		t.Errorf("expected a run in progress and no command to resume it:\n%s", text)
	}
}

// An accepted manifest is equal after writing and reading it again.
func FuzzParseManifest(f *testing.F) {
	m := newManifest("")
	m.Stages = []StageRecord{{Name: "fit", Outputs: map[string]string{"a": "b"}, Result: json.RawMessage(`{"r":1}`)}}
	for _, m.Version = range []int{1, manifestVersion} {
		m.Seal, _ = m.seal()
		text := testkit.Must(json.MarshalIndent(m, "", "  "))(f)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parseManifest(data, "name")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "name: ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: want one line that begins with the name", err)
			}
			return
		}
		m.Version = manifestVersion
		m.Seal = testkit.Must(m.seal())(t)
		text := testkit.Must(json.MarshalIndent(m, "", "  "))(t)
		again, err := parseManifest(text, "name")
		if err != nil || again.Seal != m.Seal || len(again.Stages) != len(m.Stages) {
			t.Errorf("%+v read again as %+v, %v", m, again, err)
		}
	})
}
