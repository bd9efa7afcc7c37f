package run

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kroo/datasets"
	"kroo/endgame"
	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/atomicfile"
	"kroo/internal/journal"
	"kroo/internal/outline"
	"kroo/internal/parallel"
	_ "kroo/internal/testenv" // temporary folders in memory
	"kroo/internal/testkit"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/sampler"
)

// tiny is a complete run that takes a fraction of a second. Tests of other packages read it too.
//
//go:embed testdata/tiny.toml
var tiny string

// watcher cancels a run when a stage has made some progress, and lists the stages that ran and
// those that were skipped.
type watcher struct {
	cancel       context.CancelFunc
	stop         string // title of the stage to stop in
	after        int    // progress calls before it
	ran, skipped []string
	first        map[string]int64 // what each stage had done at its start
}

func (w *watcher) Stage(title, _ string) (parallel.Progress, func(error)) {
	w.ran = append(w.ran, title)
	calls := 0
	return func(done, _ int64, _ string) {
		if w.first == nil {
			w.first = map[string]int64{}
		}
		if calls == 0 {
			w.first[title] = done
		}
		if calls++; title == w.stop && calls > w.after {
			w.cancel()
		}
	}, func(error) {}
}

func (w *watcher) Skip(title string) { w.skipped = append(w.skipped, title) }

func (w *watcher) start(t *testing.T, r *Run) error {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w.cancel = cancel
	return r.Execute(ctx, w)
}

// begun returns a run that has done nothing.
func begun(t *testing.T, text string) *Run {
	t.Helper()
	return testkit.Must(New(filepath.Join(t.TempDir(), "run"), text, "text"))(t)
}

// finished returns a run that has ended, and what ran.
func finished(t *testing.T, text string) (*Run, *watcher) {
	t.Helper()
	r, w := begun(t, text), new(watcher)
	testkit.NoError(t, w.start(t, r))
	return r, w
}

// stopped returns a run that was stopped in a stage, after some progress.
func stopped(t *testing.T, text, stage string, after int) *Run {
	t.Helper()
	r := begun(t, text)
	if err := (&watcher{stop: stage, after: after}).start(t, r); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped in %s: %v", stage, err)
	}
	return r
}

func resume(t *testing.T, dir string) *watcher {
	t.Helper()
	r := testkit.Must(Resume(dir))(t)
	w := &watcher{}
	testkit.NoError(t, w.start(t, r))
	return w
}

// tree returns every file below a folder with its content.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(dir, path)
			files[name] = testkit.Text(t, path)
		}
		return err
	})
	testkit.NoError(t, err)
	return files
}

// compare checks that two runs have the same files.
func compare(t *testing.T, got, want map[string]string) {
	t.Helper()
	testkit.EqualSlices(t, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)), "files")
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s differs", name)
		}
	}
}

func TestRunWritesAllFiles(t *testing.T) {
	r, _ := finished(t, tiny)
	files := tree(t, r.Dir)
	for _, name := range []string{"positions.parquet", "labels.parquet", "features.parquet", "weights.json", "match.ogn", "book.bin", "report.html", "manifest.json", "config.toml", "plots/dropout-south.svg"} {
		if files[name] == "" {
			t.Errorf("%s is missing or empty", name)
		}
	}
	testkit.Contains(t, testkit.Must(r.Summary())(t).Body(), "correlation R", "Elo", "12 entries", "best first move", "weights against the program's own", "What next\n",
		"look into the book\n      "+wording.Program()+" book query "+r.path("book.bin"))
	testkit.Contains(t, lastLines(testkit.Must(r.Summary())(t).Body(), 24), "  weights against captures:", "  report:", r.path("report.html"), " serve --open", "What next\n")
	testkit.Contains(t, files["report.html"], "What the weights say", "The fit", "Next to the thesis", "Figures as files", `href="#made"`, "<code>train book query book.bin</code>", "the same command gives the same labels, to the byte")
}

// A page about a run names its files from where the reader is.
func TestPageNamesFilesFromWhereItIsRead(t *testing.T) {
	r, _ := finished(t, tiny)
	page := testkit.Must(Page(r.Dir))(t)
	at := slices.IndexFunc(page.Sections, func(s outline.Section) bool { return s.Heading == "What next" })
	want := wording.Program() + " book query " + wording.Path(r.path("book.bin"))
	if at < 0 || !slices.ContainsFunc(page.Sections[at].Commands, func(f outline.Fact) bool { return f.Value == want }) {
		t.Errorf("no %q in section %d", want, at)
	}
}

// The end of a run, inspect, the report and the page show the same results in the same order and units.
func TestResultsAreTheSameWhereverTheyAre(t *testing.T) {
	r, _ := finished(t, tiny)
	summary := testkit.Must(r.Summary())(t).Facts
	page := testkit.Must(Page(r.Dir))(t)
	described := testkit.Must(DescribeFolder(r.Dir))(t)
	at := slices.IndexFunc(described.Sections, func(s outline.Section) bool { return s.Heading == "results" })
	if at < 0 || len(page.Facts) < 4 {
		t.Fatalf("results in section %d of inspect; on the page: %v", at, page.Facts)
	}
	for i, f := range page.Facts {
		testkit.Equal(t, summary[i].Name, f.Name, "figure %d at the end of the run", i)
		testkit.Equal(t, summary[i].Value, f.Value, "%s at the end of the run", f.Name)
	}
	testkit.EqualSlices(t, page.Facts, described.Sections[at].Facts[:len(page.Facts)], "the page and inspect")
	text := testkit.Text(t, r.path(reportFile))
	last := 0
	for _, f := range page.Facts {
		next := strings.Index(text[last:], html.EscapeString(f.Value))
		if next < 0 {
			t.Errorf("report.html has no %s after what is before it", f.Value)
			continue
		}
		last += next
	}
	if !strings.Contains(described.Body(), "in winning chance") || strings.Contains(described.Body(), "mean error:") {
		t.Error("inspect has another mean error than the report")
	}
}

// lastLines returns the end of a text: what a screen of that many lines still shows.
func lastLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "")
}

func TestRulesWithoutWeightsHaveNoMatchAgainstThem(t *testing.T) {
	for rules, want := range map[string]bool{"abapa": true, "awari": true, "simple": false} {
		r := begun(t, testkit.Must(Adapt(tiny, "tiny", Changes{Rules: rules}))(t))
		defer r.Close()
		if got := slices.Contains(r.Titles(), "weights against the program's own"); got != want {
			t.Errorf("%s: stages %q, a match against the program's weights is expected: %v", rules, r.Titles(), want)
		}
	}
}

// Labels by time remain so after a stop, and the report mentions the consequence.
func TestRunByTimeReportsThatItIsNotRepeatable(t *testing.T) {
	r := stopped(t, testkit.Must(Adapt(tiny, "tiny", Changes{Limit: timed(time.Millisecond)}))(t), "training labels", 100)
	resume(t, r.Dir)
	r = testkit.Must(Resume(r.Dir))(t)
	defer r.Close()
	f := testkit.Must(resultOf[labelResult](r.manifest, "label"))(t)
	summary := testkit.Must(r.Summary())(t)
	testkit.Contains(t, summary.Body(), "movetime 1ms, hash 1 MiB, default tables", "not repeatable", fmt.Sprintf("run --config %s --nodes %d\n", r.path(ConfigFile), f.Nodes))
	testkit.Contains(t, testkit.Text(t, r.path(reportFile)), "not repeatable: labels depend on the machine", fmt.Sprintf("<code>train run --config config.toml --nodes %d --dir ../by-nodes</code>", f.Nodes))
	if f.Nodes < 100 {
		t.Errorf("%d nodes in a millisecond", f.Nodes)
	}
	again := testkit.Must(Adapt(testkit.Text(t, r.path(ConfigFile)), "config.toml", Changes{Limit: engine.Config{Nodes: f.Nodes}}))(t)
	if strings.Contains(again, "\nmovetime") {
		t.Errorf("still by time:\n%s", again)
	}
}

// A configuration without [book_play] has no such match, and its report and summary do not
// mention one.
func TestRunWithoutBookPlayDoesNotMentionIt(t *testing.T) {
	text, _, _ := strings.Cut(tiny, "[book_play]")
	r, w := finished(t, text)
	summary := testkit.Must(r.Summary())(t)
	page := testkit.Text(t, r.path(reportFile))
	for _, reported := range []string{summary.Body(), page} {
		if !strings.Contains(reported, "pening book") || strings.Contains(reported, "against no book") || strings.Contains(reported, "ithout it") {
			t.Errorf("a run without play from the book mentions it:\n%s", reported)
		}
	}
	if slices.Contains(w.ran, "book against no book") {
		t.Errorf("stages %q", w.ran)
	}
}

// A run stopped in any stage, at its first progress or later, resumes to the same files without
// repeating finished stages.
func TestStoppedRunResumesToTheSameFiles(t *testing.T) {
	whole, all := finished(t, tiny)
	want := tree(t, whole.Dir)
	for _, after := range []int{0, 1} {
		r, done := begun(t, tiny), 0
		goOn := func(stop string) (stopped bool) {
			w := &watcher{stop: stop, after: after}
			err := w.start(t, r)
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatalf("to stop in %q: %v", stop, err)
			}
			if len(w.skipped) < done {
				t.Errorf("to stop in %q: skipped %q, want the %d stages before the last one", stop, w.skipped, done)
			}
			if err == nil {
				t.Run(stop, func(t *testing.T) { compare(t, tree(t, r.Dir), want) })
			}
			return err != nil
		}
		for i, title := range all.ran {
			if !goOn(title) { // the stage has less progress: use a new run for the others
				r, done = begun(t, tiny), 0
				continue
			}
			var err error
			if r, err = Resume(r.Dir); err != nil {
				t.Fatal(err)
			}
			done = i
		}
		if done > 0 && goOn("") {
			t.Error("it does not end")
		}
	}
}

// The run is killed after a stage wrote its files but before the manifest contains it: the
// journal still has the pieces.
func TestKilledBeforeTheManifest(t *testing.T) {
	r := stopped(t, tiny, "training features", 0)
	if _, err := sampler.Label(context.Background(), engine.Oware(), r.path(positionsFile), r.path(labelsFile), sampler.LabelConfig{Spec: engine.Spec{Weights: engine.CapturesName, Search: r.Config.Label}}, nil); err != nil {
		t.Fatal(err) // labels and journal as they are just before the manifest is written
	}
	r.manifest.Stages = slices.DeleteFunc(r.manifest.Stages, func(s StageRecord) bool { return s.Name == "label" })
	testkit.NoError(t, r.manifest.write(r.Dir))
	testkit.Equal(t, resume(t, r.Dir).first["training labels"], int64(r.Config.Training.N), "labelling resumed from")
	if _, err := os.Stat(journal.PathOf(r.path(labelsFile))); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the journal was not removed: %v", err)
	}
}

func TestDeletedOutputIsRebuilt(t *testing.T) {
	r, _ := finished(t, tiny)
	want := tree(t, r.Dir)
	testkit.NoError(t, os.Remove(r.path(bookFile)))
	w := resume(t, r.Dir)
	testkit.Equal(t, strings.Join(w.ran, ","), "book", "ran %q, want the book alone", w.ran)
	compare(t, tree(t, r.Dir), want)
}

// changeLabels deletes the labels of a finished run, and makes it write others.
func changeLabels(t *testing.T, dir string) *Run {
	t.Helper()
	testkit.NoError(t, os.Remove(filepath.Join(dir, labelsFile)))
	r := testkit.Must(Resume(dir))(t)
	r.Config.Label.Nodes++ // stands for a limit by time, which gives other labels each time; the validation labels change too
	return r
}

// recorded returns the names of the recorded stages.
func recorded(t *testing.T, dir string) (names []string) {
	t.Helper()
	m := testkit.Must(ReadManifest(filepath.Join(dir, ManifestFile)))(t)
	for _, s := range m.Stages {
		names = append(names, s.Name)
	}
	return names
}

// A repair of a finished run is killed: the run is unfinished, without results that were made from other files.
func TestInterruptedRepairIsUnfinished(t *testing.T) {
	whole, _ := finished(t, tiny)
	all := recorded(t, whole.Dir)
	const first = "sample,sample-validation,"
	for stop, want := range map[string]string{
		"training labels":          first + "label-validation,features,features-validation,fit,match,champion-match,book,book-play",
		"training features":        first + "label,label-validation",
		"fit":                      first + "label,label-validation,features,features-validation",
		"weights against captures": first + "label,label-validation,features,features-validation,fit",
	} {
		r, _ := finished(t, tiny)
		w := &watcher{stop: stop}
		err := w.start(t, changeLabels(t, r.Dir))
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("stopped in %s: %v", stop, err)
		}
		if names := strings.Join(recorded(t, r.Dir), ","); err == nil || names != want {
			t.Errorf("stopped in %s (%v): recorded stages\n%s, expected\n%s", stop, err, names, want)
		}
		last, err := LastUnfinished(filepath.Dir(r.Dir))
		if err != nil || last != r.Dir {
			t.Errorf("stopped in %s: unfinished run %q, %v", stop, last, err)
		}
		again := testkit.Must(Resume(r.Dir))(t)
		again.Config.Label.Nodes++
		testkit.NoError(t, new(watcher).start(t, again))
		testkit.EqualSlices(t, recorded(t, r.Dir), all, "stopped in %s and resumed: stages", stop)
	}
}

// A repair that is killed and resumed gives the files of the run as it was, with its stages in order.
func TestInterruptedRepairResumesToTheSameFiles(t *testing.T) {
	r, _ := finished(t, tiny)
	want := tree(t, r.Dir)
	testkit.NoError(t, os.Remove(r.path(labelsFile)))
	err := (&watcher{stop: "training labels"}).start(t, testkit.Must(Resume(r.Dir))(t))
	if !errors.Is(err, context.Canceled) || slices.Contains(recorded(t, r.Dir), reportStageName) {
		t.Fatalf("error %v, stages %q: expected a stop in the labels", err, recorded(t, r.Dir))
	}
	w := resume(t, r.Dir)
	testkit.EqualSlices(t, w.ran, []string{"training labels", "report"}, "stages done again")
	compare(t, tree(t, r.Dir), want)
}

// A file that was changed on purpose is not overwritten because something that it depends on is made again as well.
func TestChangedFileIsRefusedWhereItsInputsChangeToo(t *testing.T) {
	r, _ := finished(t, tiny)
	testkit.NoError(t, os.WriteFile(r.path(weightsFile), []byte("{}"), 0o666))
	w := new(watcher)
	err := w.start(t, changeLabels(t, r.Dir))
	testkit.ErrorContains(t, err, "fit: ", weightsFile, "changed since the run wrote it")
	testkit.Equal(t, testkit.Text(t, r.path(weightsFile)), "{}", "the weights")
	if len(w.ran) > 0 {
		t.Errorf("ran %q before the error", w.ran)
	}
	_, err = r.manifest.stage("fit").isCurrent(r.Dir, "another key")
	testkit.ErrorContains(t, err, weightsFile)
}

func TestChangedFilesAreRefused(t *testing.T) {
	r, _ := finished(t, tiny)
	for _, name := range []string{labelsFile, weightsFile, bookFile, ConfigFile, ManifestFile} {
		path := r.path(name)
		old := testkit.Text(t, path)
		testkit.NoError(t, os.WriteFile(path, []byte("X"+old[1:]), 0o644))
		again, err := Resume(r.Dir)
		if err == nil {
			err = again.Execute(context.Background(), &watcher{})
		}
		if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s changed: error %v: want one line that names it", name, err)
		}
		testkit.Equal(t, testkit.Text(t, path), "X"+old[1:], "%s was overwritten", name)
		testkit.NoError(t, os.WriteFile(path, []byte(old), 0o644))
	}
}

// The error of a failing stage has its title, the action and the object, each once.
func TestFailingStageIsNamedOnce(t *testing.T) {
	r := begun(t, tiny)
	testkit.NoError(t, os.Mkdir(r.path(bookFile), 0o777))
	err := new(watcher).start(t, r)
	if want := "book: cannot write " + r.path(bookFile) + ": it is a folder: expected the name of a file"; err == nil || err.Error() != want {
		t.Errorf("error %q, expected %q", err, want)
	}
}

// A run locks its folder, and the error for others names the process.
func TestRunLocksItsFolder(t *testing.T) {
	r := begun(t, tiny)
	for name, open := range map[string]func() (*Run, error){
		"begin": func() (*Run, error) { return New(r.Dir, tiny, "tiny") }, "go on": func() (*Run, error) { return Resume(r.Dir) },
	} {
		if _, err := open(); !errors.Is(err, vfs.ErrLocked) || !strings.Contains(err.Error(), fmt.Sprint("process ", os.Getpid())) {
			t.Errorf("%s: %v: want the process that has the folder", name, err)
		}
	}
	if !Busy(r.Dir) {
		t.Error("it is not busy")
	}
	r.Close()
	if Busy(r.Dir) {
		t.Error("it is busy after its end")
	}
	testkit.NoError(t, os.WriteFile(r.path(atomicfile.FolderLock), []byte("99999 killed\n"), 0o666))
	again := testkit.Must(Resume(r.Dir))(t)
	again.Close()
	if _, err := os.Stat(r.path(atomicfile.FolderLock)); err == nil {
		t.Error("the lock was not removed")
	}
}

// A changed endgame table named in the configuration is an error.
func TestChangedTableIsAnError(t *testing.T) {
	tables := t.TempDir()
	build := func(seeds int) {
		if _, err := endgame.BuildFile(context.Background(), endgame.Config{Rules: oware.Abapa, Bounds: endgame.Crude, Seeds: seeds}, tables, nil); err != nil {
			t.Fatal(err)
		}
	}
	build(2)
	text := strings.Replace(tiny, "[label]\n", fmt.Sprintf("[label]\ntables = %q\n", tables), 1)
	if text == tiny {
		t.Fatal("no labels in the configuration")
	}
	r := stopped(t, text, "training features", 0)
	build(3)
	again, err := Resume(r.Dir)
	testkit.NoError(t, err)
	testkit.ErrorContains(t, again.Execute(context.Background(), &watcher{}), "abapa.endgame, which the configuration names, was changed")
	build(2)
	if again, err = Resume(r.Dir); err == nil {
		err = again.Execute(context.Background(), &watcher{})
	}
	if err != nil {
		t.Error(err)
	}
}

func TestNewRunNeedsAnEmptyFolder(t *testing.T) {
	r := begun(t, tiny)
	r.Close()
	_, err := New(r.Dir, tiny, "tiny")
	testkit.ErrorContains(t, err, "--resume")
	if _, err := Resume(t.TempDir()); err == nil {
		t.Error("resumed an empty folder")
	}
}

// Labels that took no search, as those of endgame tables, do not count in the median.
func TestFiguresOfLabels(t *testing.T) {
	for _, c := range []struct {
		nodes []int64
		want  int64
	}{{nil, 0}, {[]int64{0, 0}, 0}, {[]int64{7}, 7}, {[]int64{0, 90, 0, 5, 30, 0}, 30}} {
		var rows []datasets.Row[oware.Position]
		for _, n := range c.nodes {
			rows = append(rows, datasets.Row[oware.Position]{Position: oware.Start(oware.Abapa), Nodes: n, Weight: 1})
		}
		path := filepath.Join(t.TempDir(), "labels.parquet")
		meta := datasets.Meta{Kind: datasets.Labels, Game: "oware", Rules: "abapa"}
		testkit.NoError(t, datasets.Write(oware.Descriptor(), path, meta, datasets.Rows(rows)))
		f := testkit.Must(medianNodes(t.Context(), path))(t)
		testkit.Equal(t, f.Nodes, c.want, "median of %v", c.nodes)
	}
	_, err := medianNodes(t.Context(), filepath.Join(t.TempDir(), "none.parquet"))
	testkit.ErrorContains(t, err, "none.parquet")
}
