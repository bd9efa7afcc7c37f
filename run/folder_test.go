package run

import (
	"os"
	"slices"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// The description of a folder has stages, times, results, and the missing and changed files.
func TestDescribeFolder(t *testing.T) {
	r := newRun(t)
	w := new(watcher)
	testkit.NoError(t, w.start(t, r))
	testkit.NoError(t, os.Remove(r.path(matchFile)))
	testkit.NoError(t, os.WriteFile(r.path(weightsFile), []byte("{}"), 0o666))
	s := testkit.Must(DescribeFolder(r.Dir))(t)
	f := s.Value.(folder)
	if len(f.Stages) != len(w.ran) || !f.Finished || len(f.Results) < 5 {
		t.Errorf("%+v, ran %v", f, w.ran)
	}
	if !slices.Equal(f.Missing, []string{matchFile}) || !slices.Equal(f.Changed, []string{weightsFile}) {
		t.Errorf("missing %v, changed %v", f.Missing, f.Changed)
	}
	text := s.Text("run")
	testkit.Contains(t, text, "positions.parquet\n", "correlation R", "report.html", "missing:        match.ogn\n", "changed since:  weights.json\n\n")
	if strings.Contains(text, ".manifest.json") || strings.Contains(text, "goes on") {
		t.Errorf("more than a person asks for:\n%s", text)
	}
	// A finished run of an earlier version may contain a setting that was removed since.
	config := testkit.Text(t, r.path(ConfigFile)) + "[engine]\nprogram = \"name=theirs\"\n"
	testkit.Write(t, r.path(ConfigFile), config)
	r.manifest.Config = hashText(config)
	testkit.NoError(t, r.manifest.write(r.Dir))
	s = testkit.Must(DescribeFolder(r.Dir))(t)
	if f := s.Value.(folder); !f.Finished || len(f.Results) < 5 {
		t.Errorf("with a removed setting: %+v", f)
	}
}

// The description of an unfinished run has the results of its finished stages, and the command
// that resumes it.
func TestDescribeFolderOfAnUnfinishedRun(t *testing.T) {
	r := newRun(t)
	if err := (&watcher{stop: "weights against captures"}).start(t, r); err == nil {
		t.Fatal("it was not stopped")
	}
	s := testkit.Must(DescribeFolder(r.Dir))(t)
	text := s.Text("run")
	if f := s.Value.(folder); f.Finished || len(f.Results) != 3 || f.Results[0].Name != "mean error" || !strings.Contains(text, "to be done\n") || !strings.Contains(text, "run --resume --dir "+r.Dir) {
		t.Errorf("%+v\n%s", f, text)
	}
	_, err := DescribeFolder(t.TempDir())
	testkit.Refused(t, err, "expected config.toml")
}
