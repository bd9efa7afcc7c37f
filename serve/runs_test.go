package serve

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"kroo/internal/parallel"
	"kroo/internal/testkit"
	"kroo/run"
)

// tiny configures a run that takes a fraction of a second.
var tiny = func() string {
	text, err := os.ReadFile("../run/testdata/tiny.toml")
	if err != nil {
		panic(err)
	}
	return string(text)
}()

// newRun writes the configuration of a run; resuming it starts the run.
func newRun(t testing.TB, dir, name, config string) {
	t.Helper()
	testkit.NoError(t, os.MkdirAll(filepath.Join(dir, name), 0o777))
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, name, run.ConfigFile), []byte(config), 0o666))
}

// A configuration that was changed after the run, to a setting that no longer exists, is named.
func TestAChangedConfigurationIsNamed(t *testing.T) {
	dir := t.TempDir()
	newRun(t, dir, "old", tiny)
	s := testServer(t, Config{Dir: dir})
	answers(t, s, "POST", "/api/run/resume?name=old", 200)
	get(s, "/api/run/watch?name=old") // to its end
	old := tiny + "[engine]\nprogram = \"name=theirs\"\n"
	newRun(t, dir, "old", old)
	answers(t, s, "GET", "/runs?name=old", 400, "config.toml", "program = &#34;name=theirs&#34;") // made with other settings
}

func TestARunIsResumedAndWatched(t *testing.T) {
	dir := t.TempDir()
	newRun(t, dir, "tiny", tiny)
	s := testServer(t, Config{Dir: dir})
	answers(t, s, "GET", "/runs", 200, "tiny: unfinished, can be resumed, 0 stages finished.")
	answers(t, s, "POST", "/api/run/resume?name=tiny", 200)
	last := lastOf[runState](t, s, "/api/run/watch?name=tiny")
	if last.Stages != strings.Count(last.HTML, "<td>done in") || last.Text != fmt.Sprintf("tiny: finished, %d stages finished.", last.Stages) {
		t.Fatalf("watched: %+v", last)
	}
	answers(t, s, "GET", "/runs?name=tiny", 200, "correlation R", "weights against captures", "12 of 12 stages finished", "What was done", "Where they err", "<svg")
	_, _, text := get(s, "/runs?name=tiny")
	testkit.Equal(t, strings.Count(text, "correlation R"), 1, "the results of the page")
	answers(t, s, "POST", "/api/run/resume?name=tiny", 200)
}

// The list has the figures of train inspect, and each heading sorts by its column.
func TestRunsAreListedWithTheirFigures(t *testing.T) {
	dir := t.TempDir()
	newRun(t, dir, "one", tiny)
	newRun(t, dir, "two", strings.Replace(tiny, "ridge = 0.0", "ridge = 0.5", 1))
	newRun(t, dir, "waits", tiny)
	newRun(t, dir, "wrong", "rules = 1\n")
	s := testServer(t, Config{Dir: dir})
	for _, name := range []string{"one", "two"} {
		answers(t, s, "POST", "/api/run/resume?name="+name, 200)
		get(s, "/api/run/watch?name="+name) // to its end
	}
	runs := testkit.Must(run.List(dir))(t)
	page := answers(t, s, "GET", "/runs?name=one&sort=r", 200, "Figures over time", "Runs by date: correlation R",
		`href="/runs?name=one&amp;sort=-r"`, `href="/runs?name=one&amp;sort=note"`, `href="/runs?name=two&amp;sort=r"`,
		"stopped 0/12", "damaged", "config.toml: rules is 1")
	if strings.Contains(page, dir) {
		t.Errorf("the page names the folder %s", dir)
	}
	for _, e := range runs {
		if e.R != nil {
			testkit.Contains(t, page, fmt.Sprintf("%.4f", *e.R), fmt.Sprintf("%.3f", *e.Error),
				strings.ReplaceAll(e.Captures.String(), "-", "−"))
		}
	}
	order := func(by string) []string {
		return regexp.MustCompile(`<tr><td><a href="/runs\?name=(one|two|waits|wrong)`).
			FindAllString(answers(t, s, "GET", "/runs?name=one&sort="+by, 200), -1)
	}
	down := order("run")
	up := order("-run")
	slices.Reverse(up)
	if len(down) != 4 || !slices.Equal(down, up) || !slices.IsSorted(down) {
		t.Errorf("by name %q, the other way round %q", down, up)
	}
	answers(t, s, "GET", "/runs?sort=colour", 400, "no column of runs")
}

// A damaged file of a run never hides the list, in which the other runs are found.
func TestADamagedRunHasARow(t *testing.T) {
	for name, content := range map[string]string{
		run.ConfigFile: "rules = 1\n", run.ManifestFile: "{", "weights.json": "{", "book.bin": "x", "labels-validation.parquet": "x",
	} {
		dir := t.TempDir()
		newRun(t, dir, "one", tiny)
		s := testServer(t, Config{Dir: dir})
		answers(t, s, "POST", "/api/run/resume?name=one", 200)
		get(s, "/api/run/watch?name=one") // to its end
		damaged := filepath.Join(dir, "one", name)
		if _, err := os.Stat(damaged); err != nil {
			t.Fatal(err)
		}
		testkit.NoError(t, os.WriteFile(damaged, []byte(content), 0o666))
		answers(t, s, "GET", "/runs", 200, `href="/runs?name=one&amp;sort="`, name)
		answers(t, s, "GET", "/files", 200, "Weights")
		newRun(t, dir, "waits", tiny)
		earlier := time.Now().Add(-time.Hour)
		testkit.NoError(t, os.Chtimes(filepath.Join(dir, "waits", run.ConfigFile), earlier, earlier))
		page := answers(t, s, "GET", "/runs", 200, "one</a>", "waits</a>")
		if name == run.ConfigFile || name == run.ManifestFile {
			testkit.Contains(t, page, "<td>damaged</td>", "waits: unfinished, can be resumed")
		}
	}
}

// Ticked runs are compared as train inspect does; each name links to its run, and no path of the server is shown.
func TestTickedRunsAreCompared(t *testing.T) {
	dir := t.TempDir()
	newRun(t, dir, "one", tiny)
	newRun(t, dir, "two", strings.Replace(tiny, "ridge = 0.0", "ridge = 0.5", 1))
	s := testServer(t, Config{Dir: dir})
	for _, name := range []string{"one", "two"} {
		answers(t, s, "POST", "/api/run/resume?name="+name, 200)
		get(s, "/api/run/watch?name="+name) // to its end
	}
	answers(t, s, "GET", "/runs?name=one", 200, `name="compare" value="two"`, ">Compare<")
	page := answers(t, s, "GET", "/runs?compare=one&compare=two", 200, "fit.ridge", "1 run compared with one", `href="/runs?name=two"`,
		"B differs from A from this stage on: fit.", "Runs by date: correlation R", `value="one" checked`)
	if strings.Contains(page, dir) {
		t.Errorf("the page names the folder %s", dir)
	}
	c := testkit.Must(run.CompareRuns(t.Context(), []string{filepath.Join(dir, "one"), filepath.Join(dir, "two")}))(t)
	for _, f := range c.Fits {
		testkit.Contains(t, page, fmt.Sprintf("%.4f", f.R))
	}
	answers(t, s, "GET", "/runs?compare=one", 400, "expected 2 to 8")
	answers(t, s, "GET", "/runs?compare=one&compare=nosuch", 404, "nosuch")
	answers(t, s, "GET", "/runs?compare=one&compare=..", 400, "served folder")
}

// labelled waits until a run has n more labels.
func labelled(t *testing.T, s *Server, name string, more int64) {
	t.Helper()
	from := int64(-1)
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		notes, failed := s.worker.notes(name)
		if len(notes) > 2 && notes[2].done > 0 && from < 0 {
			from = notes[2].done - 1
		}
		if from >= 0 && notes[2].done >= from+more {
			return
		}
		if failed != "" || time.Now().After(end) {
			t.Fatalf("%s makes no labels: %q, %+v", name, failed, notes)
		}
	}
}

func TestARunIsStoppedAndResumed(t *testing.T) {
	dir := t.TempDir()
	newRun(t, dir, "long", strings.Replace(tiny, "n = 400", "n = 200000", 1))
	s := testServer(t, Config{Dir: dir})
	answers(t, s, "POST", "/api/run/stop?name=long", 400)
	answers(t, s, "POST", "/api/run/resume?name=long", 200)
	labelled(t, s, "long", 1)
	newRun(t, dir, "other", tiny)
	for _, query := range []string{"", "?name=", "?name=other", "?name=nothing", "?name=long/", "?name=./long"} {
		answers(t, s, "POST", "/api/run/stop"+query, 400)
	}
	labelled(t, s, "long", 500) // it continues
	answers(t, s, "POST", "/api/run/resume?name=long", 400, "in progress")
	answers(t, s, "POST", "/api/run/resume?name=other", 400, "another run")
	answers(t, s, "POST", "/api/run/stop?name=long", 200)
	s.worker.running.Wait()
	if _, failed := s.worker.notes("long"); s.worker.current() != "" || !strings.Contains(failed, "stopped") {
		t.Errorf("after the stop: %q in progress, %q", s.worker.current(), failed)
	}
	text := answers(t, s, "GET", "/runs?name=long", 200, "stopped at ", " of 200\u00a0000 positions; Resume continues it")
	if strings.Contains(text, "What was done") || strings.Contains(text, dir) {
		t.Errorf("the page describes a finished run, or names its folder: %s", text)
	}
	answers(t, s, "POST", "/api/run/resume?name=long", 200)
}

// A run that is in progress in another process is left alone.
func TestARunOfAnotherProgramIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	newRun(t, dir, "busy", tiny)
	other := testkit.Must(run.Resume(filepath.Join(dir, "busy")))(t)
	defer other.Close()
	s := testServer(t, Config{Dir: dir})
	answers(t, s, "POST", "/api/run/resume?name=busy", 400, "in use by another process")
	answers(t, s, "GET", "/runs", 200, "running in another program")
	other.Close()
	future := time.Now().Add(time.Hour)
	testkit.NoError(t, os.Chtimes(filepath.Join(dir, "busy", run.ConfigFile), future, future))
	answers(t, s, "POST", "/api/run/resume?name=busy", 200)
	s.worker.stopAny()
	s.worker.running.Wait()
}

// Files of a run that are links out of the folder are not shown, and such a run is not resumed.
func TestNoFileOfARunOutsideTheFolder(t *testing.T) {
	dir := t.TempDir()
	served := filepath.Join(dir, "served")
	newRun(t, dir, "secret", "# do not tell\n"+tiny)
	for _, c := range []struct{ file, target string }{
		{run.ConfigFile, filepath.Join(dir, "secret", run.ConfigFile)}, {run.ManifestFile, filepath.Join(dir, "manifest")}, {"report.html", filepath.Join(dir, "report")}, {"weights.json", filepath.Join(dir, "not-there")},
	} {
		name := strings.TrimSuffix(c.file, filepath.Ext(c.file))
		newRun(t, served, name, tiny)
		testkit.NoError(t, os.WriteFile(filepath.Join(dir, "manifest"), []byte(`{"do not tell": 1}`), 0o666), os.WriteFile(filepath.Join(dir, "report"), []byte("do not tell"), 0o666))
		link := filepath.Join(served, name, c.file)
		os.Remove(link)
		testkit.NoError(t, os.Symlink(c.target, link))
		s := testServer(t, Config{Dir: served})
		for _, path := range []string{"/runs?name=" + name, "/runs"} {
			if _, _, text := get(s, path); strings.Contains(text, "do not tell") || strings.Contains(text, dir) {
				t.Errorf("%s with a linked %s: %s", path, c.file, text)
			}
		}
		answers(t, s, "POST", "/api/run/resume?name="+name, 400, c.file)
	}
}

func TestNoRunOutsideTheFolder(t *testing.T) {
	dir := t.TempDir()
	newRun(t, dir, "outside", tiny)
	newRun(t, filepath.Join(dir, "served"), "inside", tiny)
	s := testServer(t, Config{Dir: filepath.Join(dir, "served")})
	for _, name := range []string{"../outside", "..", "", ".", "/", "inside/../../outside", "none"} {
		for _, path := range []string{"/runs", "/api/run/watch"} {
			if code, _, text := get(s, path+"?name="+name); code != 400 && code != 404 && (name != "" || path != "/runs") { // which shows the first
				t.Errorf("%s of %q: %d %s", path, name, code, text)
			}
		}
		for _, path := range []string{"/api/run/resume", "/api/run/stop"} {
			if code, _, text := ask(s, request("POST", path+"?name="+name, nil)); code != 400 && code != 404 {
				t.Errorf("%s of %q: %d %s", path, name, code, text)
			}
		}
	}
	for _, path := range []string{"/api/run/resume?name=inside", "/api/run/stop?name=inside"} {
		if code, _, _ := get(s, path); code == 200 {
			t.Errorf("%s is taken as a GET", path)
		}
	}
}

// A new run has the configuration of a preset and a folder of its own; a second one is refused.
func TestANewRunBegins(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runs") // which is made
	s := testServer(t, Config{Dir: dir})
	answers(t, s, "POST", "/api/run/new?name=first-1&preset=quick", 200)
	want := testkit.Must(run.Preset("quick"))(t)
	if got, err := os.ReadFile(filepath.Join(dir, "first-1", run.ConfigFile)); err != nil || string(got) != want {
		t.Errorf("configuration %q, %v", got, err)
	}
	testkit.Equal(t, s.worker.current(), "first-1", "s.worker.current")
	answers(t, s, "POST", "/api/run/new?name=second&preset=quick", 400, "another run")
	if _, err := os.Stat(filepath.Join(dir, "second")); err == nil {
		t.Error("a run that may not begin has a folder")
	}
	answers(t, s, "POST", "/api/run/stop?name=first-1", 200)
	s.worker.running.Wait()
	answers(t, s, "POST", "/api/run/new?name=first-1&preset=quick", 400, "already")
}

func TestANewRunIsRefused(t *testing.T) {
	dir := t.TempDir()
	served, outside := filepath.Join(dir, "served"), filepath.Join(dir, "outside")
	for _, d := range []string{served, outside, filepath.Join(served, "empty")} {
		testkit.NoError(t, os.Mkdir(d, 0o777))
	}
	testkit.NoError(t, os.Symlink(outside, filepath.Join(served, "link")))
	s := testServer(t, Config{Dir: served})
	for _, query := range []string{
		"", "name=a", "preset=quick", "name=a&preset=none", "name=a&preset=../quick", "name=../a&preset=quick", "name=a/b&preset=quick", "name=.a&preset=quick", "name=-a&preset=quick",
		"name=A&preset=quick", "name=a%00&preset=quick", "name=a%0a&preset=quick", "name=" + strings.Repeat("a", 41) + "&preset=quick", "name=link&preset=quick", "name=empty&preset=quick",
	} {
		answers(t, s, "POST", "/api/run/new?"+query, 400)
	}
	r := request(http.MethodPost, "/api/run/new?name=a&preset=quick", nil)
	r.Header.Set("Origin", "http://evil.example")
	if code, _, _ := ask(s, r); code != 403 {
		t.Errorf("by way of another site: %d", code)
	}
	if code, _, _ := get(s, "/api/run/new?name=a&preset=quick"); code == 200 {
		t.Error("a GET begins a run")
	}
	if list, err := os.ReadDir(served); err != nil || len(list) != 2 || s.worker.current() != "" {
		t.Errorf("in the folder: %v, %v; in work: %q", list, err, s.worker.current())
	}
	if list, err := os.ReadDir(outside); err != nil || len(list) != 0 {
		t.Errorf("outside: %v, %v", list, err)
	}
}

// untilEvent records an answer, and ends its request with the first event.
type untilEvent struct {
	*httptest.ResponseRecorder
	end context.CancelFunc
}

func (w untilEvent) Write(b []byte) (int, error) {
	if bytes.HasPrefix(b, []byte("event: ")) {
		w.end()
	}
	return w.ResponseRecorder.Write(b)
}

// firstEvent returns the answer to a request up to its first event.
func firstEvent(t *testing.T, s *Server, path string) string {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := untilEvent{httptest.NewRecorder(), cancel}
	s.handler.ServeHTTP(w, request(http.MethodGet, path, nil).WithContext(ctx))
	return w.Body.String()
}

// stageWatcher receives the progress of a run. It watches the page of the run once in each stage.
type stageWatcher struct {
	t       *testing.T
	server  *Server
	watched map[string]string // by the title of a stage
}

func (w stageWatcher) Stage(title, _ string) (parallel.Progress, func(error)) {
	progress := func(_, _ int64, _ string) {
		if w.watched[title] == "" {
			w.watched[title] = firstEvent(w.t, w.server, "/api/run/watch?name=outside")
		}
	}
	return progress, func(error) {}
}

func (w stageWatcher) Skip(string) {}

// The page of a run that another program works on is live: it shows the stage, how much of it is done, and
// the score of a match so far.
func TestARunElsewhereIsLive(t *testing.T) {
	dir := t.TempDir()
	s := testServer(t, Config{Dir: dir})
	r := testkit.Must(run.New(filepath.Join(dir, "outside"), tiny, "tiny"))(t)
	w := stageWatcher{t, s, map[string]string{}}
	testkit.NoError(t, r.Execute(t.Context(), w))
	for title, wanted := range map[string][]string{
		"training labels":          {"running in another program", "\\u003cprogress", "of 400 positions"},
		"weights against captures": {"training labels\\u003c/td\\u003e\\u003ctd\\u003edone", "\\u003cprogress", " games"},
	} {
		testkit.Contains(t, w.watched[title], wanted...)
	}
}
