package inspect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"kroo/datasets"
	"kroo/features"
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/outline"
	"kroo/internal/testkit"
)

// dataset writes rows as a command makes them from a dataset with a hash, and returns their own hash.
func dataset(t *testing.T, path, kind, parent string, rows int, command ...string) string {
	t.Helper()
	meta := datasets.Meta{Kind: kind, Game: "oware", Rules: "abapa", Parent: parent, Made: MadeBy(command, strings.Repeat("0", 64))}
	row := datasets.Row[oware.Position]{Position: oware.Start(oware.Abapa), Depth: 1}
	testkit.NoError(t, datasets.Write(oware.Descriptor(), path, meta, datasets.Rows(slices.Repeat([]datasets.Row[oware.Position]{row}, rows))))
	return testkit.Must(datasets.FileHash(path))(t)
}

// originOf returns the origin of a file as text.
func originOf(t *testing.T, path string) string {
	t.Helper()
	return file(t, path).Text("")
}

// The lines of a tree fit on the screen, and those of a command keep the branches.
func TestTheTreeFitsOnTheScreen(t *testing.T) {
	made := MadeBy([]string{"fit", "labels.parquet", "--loss=chances", "--set=store+phase+storephase+houses+pairs",
		"--validate=validation.parquet"}, strings.Repeat("0", 64))
	parent := &fileOrigin{path: "labels.parquet", made: made}
	tree := &fileOrigin{path: "mine.weights", made: made, parents: []*fileOrigin{parent, parent}}
	text := tree.text("", "")
	for line := range strings.Lines(text) {
		if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > outline.Screen {
			t.Errorf("%q is wider than the screen", line)
		}
	}
	testkit.Contains(t, text, "\n  by: train fit labels.parquet --loss=chances", "\n      --set=store",
		"\n│        --set=store")
}

// TestOriginIsATreeOverTheFilesOfAFolder follows weights to the positions, and finds what changed and what is missing.
func TestOriginIsATreeOverTheFilesOfAFolder(t *testing.T) {
	dir := t.TempDir()
	positions := filepath.Join(dir, "positions.csv")
	labels := filepath.Join(dir, "labels.csv")
	fitted := filepath.Join(dir, "w.json")
	hash := dataset(t, positions, datasets.Positions, "", 1, "sample", "--n=1")
	hash = dataset(t, labels, datasets.Labels, hash, 1, "label", "positions.csv", "--nodes=50")
	m, _ := owarefeatures.FindPublished("thesis4")
	m.Named.Provenance = features.Provenance{Dataset: hash, Made: MadeBy([]string{"fit", "labels.csv", "--set=thesis4"}, strings.Repeat("0", 64))}
	testkit.NoError(t, m.Named.Save(fitted))
	text := originOf(t, fitted)
	testkit.Contains(t, text, "Where it comes from\nw.json, weights, set thesis4, abapa, hash "+m.Named.Hash(), "fit labels.csv --set=thesis4\n└─ labels.csv, labels, 1 row, hash "+hash[:16],
		"label positions.csv --nodes=50\n   └─ positions.csv, positions")
	if strings.Contains(text, "again") || strings.Contains(text, "stale") {
		t.Errorf("something is stale:\n%s", text)
	}

	// Other positions: labels and weights are stale, and are made again in this order.
	dataset(t, positions, datasets.Positions, "", 2, "sample", "--n=2")
	text = originOf(t, fitted)
	testkit.Contains(t, text, "w.json, weights, set thesis4, abapa, hash "+m.Named.Hash()+" – stale", "– stale\n", "– changed since\n",
		"label "+positions+" --nodes=50 -o "+labels+" --force\n", "fit "+labels+" --set=thesis4 -o "+fitted+" --force\n")
	if strings.Index(text, "make labels.csv again") > strings.Index(text, "make w.json again") {
		t.Errorf("the order of the commands:\n%s", text)
	}

	// The same for programs: the value of the weights, and one field more.
	value := testkit.Must(json.Marshal(file(t, fitted).Value))(t)
	var got struct {
		Set    string
		Origin knownOrigin
	}
	testkit.NoError(t, json.Unmarshal(value, &got))
	if got.Set != "thesis4" || got.Origin.File != "w.json" || got.Origin.State != stale ||
		!slices.Equal(got.Origin.From[0].Command, []string{"label", "positions.csv", "--nodes=50"}) ||
		got.Origin.From[0].From[0].State != changedSince ||
		!slices.Equal(got.Origin.Again[1], []string{"fit", labels, "--set=thesis4", "-o", fitted, "--force"}) {
		t.Errorf("the value: %s", value)
	}

	// A page names neither the program nor the folder of its server.
	page := testkit.Must(File(t.Context(), fitted, allGames, Options{Program: "train", Folder: "runs/-a"}))(t).Text("")
	testkit.Contains(t, page, "train label runs/-a/positions.csv --nodes=50 -o runs/-a/labels.csv --force\n")
	if strings.Contains(page, dir) {
		t.Errorf("a page names %s:\n%s", dir, page)
	}

	// A missing parent whose maker no record names.
	testkit.NoError(t, os.Remove(positions), os.Remove(datasets.ManifestPath(positions)))
	testkit.Contains(t, originOf(t, labels), "└─ positions.csv – not in this folder", "No file here records how to make these again: positions.csv.")

	// A table of another program has no manifest.
	testkit.NoError(t, os.WriteFile(positions, []byte("key,board,phase,full\n1,4-4-4-4-4-4-4-4-4-4-4-4-0-0-S,48,3\n"), 0o666))
	testkit.Contains(t, originOf(t, labels), "└─ positions.csv, a table without a manifest – changed since")

	// A damaged neighbour is no reason not to describe a file.
	testkit.NoError(t, os.WriteFile(datasets.ManifestPath(positions), []byte("damaged\n"), 0o666))
	testkit.Contains(t, originOf(t, labels), "positions.csv – cannot be read")
}

// Files that no record connects to others have no tree.
func TestFilesWithoutRecordHaveNoOrigin(t *testing.T) {
	path, _ := thesisFile(t)
	if text := originOf(t, path); strings.Contains(text, "Where it comes from") {
		t.Errorf("a tree of nothing:\n%s", text)
	}
}

// The command that makes a file again writes it under its name: with the flag of the command, and under
// the name of the main file for the second file of a command.
func TestStaleFilesAreMadeAgainUnderTheirNames(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	old := strings.Repeat("1", 64) // of positions before they changed
	dataset(t, in("positions.csv"), datasets.Positions, "", 2, "sample", "--n=2")
	dataset(t, in("predictions.csv"), datasets.Labels, old, 1, "evaluate", "captures", "positions.csv")
	for _, name := range []string{"more.csv", "more-validation.csv", "half.csv", "part-validation.csv"} {
		dataset(t, in(name), datasets.Positions, old, 1, "sample", "--from=positions.csv", "--split=0.5")
	}
	dataset(t, in("part.csv"), datasets.Positions, old, 1, "sample", "--n=3") // of another command
	dataset(t, in("whole.csv"), datasets.Positions, old, 1, "sample", "--from=positions.csv")
	again := " --force\n"
	for name, want := range map[string]string{
		"predictions.csv":     "evaluate captures " + in("positions.csv") + " --predictions " + in("predictions.csv") + again,
		"more.csv":            "--split=0.5 -o " + in("more.csv") + again,
		"more-validation.csv": "--split=0.5 -o " + in("more.csv") + again,
		"whole.csv":           "sample --from=" + in("positions.csv") + " -o " + in("whole.csv") + again,
		"half.csv":            "No file here records how to make these again: half.csv.",
		"part-validation.csv": "No file here records how to make these again: part-validation.csv.",
	} {
		text := originOf(t, in(name))
		if !strings.Contains(text, want) {
			t.Errorf("%s: want %q in\n%s", name, want, text)
		}
	}
}

// A model is fitted again together with the compiled weights.
func TestModelIsMadeAgainWithItsWeights(t *testing.T) {
	dir := t.TempDir()
	labels, model, compiled := filepath.Join(dir, "labels.csv"), filepath.Join(dir, "w.model"), filepath.Join(dir, "w.weights")
	dataset(t, labels, datasets.Labels, "", 1, "label", "positions.csv")
	_, _, m := patternFiles(t)
	m.Provenance = features.Provenance{Dataset: strings.Repeat("1", 64), Made: MadeBy([]string{"fit", "labels.csv", "--set=houses"}, strings.Repeat("0", 64))}
	_, err := owarefeatures.Sets.Patterns.Keep(m, compiled, model)
	testkit.NoError(t, err)
	for _, path := range []string{model, compiled} {
		testkit.Contains(t, originOf(t, path), "fit "+labels+" --set=houses -o "+compiled+" --force\n")
	}
	testkit.NoError(t, os.Remove(compiled))
	testkit.Contains(t, originOf(t, model), "No file here records how to make these again: positions.csv, w.model.")
}

// Records leave out folders: the tree shows the hashes of files that share a name.
func TestFilesOfOneNameAreToldApart(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	here := dataset(t, in("l.csv"), datasets.Labels, "", 2, "label", "p.csv")
	one, two := strings.Repeat("1", 64), strings.Repeat("2", 64)
	m, _ := owarefeatures.FindPublished("thesis4")
	for _, c := range []struct {
		hashes, names []string
		want          string
	}{
		{[]string{one, two}, []string{"x.csv", "x.csv"},
			"├─ x.csv, hash 1111111111111111 – not in this folder\n└─ x.csv, hash 2222222222222222 – not in this folder\n"},
		{[]string{here, two}, []string{"l.csv", "l.csv"}, "└─ l.csv, hash 2222222222222222 – not in this folder\n"},
		{[]string{one, two}, []string{"l.csv", "l.csv"}, "└─ a file, hash 2222222222222222 – not in this folder\n"},
		{[]string{one, two}, []string{"x.csv", "y.csv"}, "├─ x.csv – not in this folder\n└─ y.csv – not in this folder\n"},
	} {
		m.Named.Provenance = features.Provenance{Datasets: c.hashes, Made: MadeBy(append([]string{"fit"}, c.names...), strings.Repeat("0", 64))}
		testkit.NoError(t, m.Named.Save(in("w.json")))
		testkit.Contains(t, originOf(t, in("w.json")), c.want)
	}
}

// How a file is compared belongs to what was made from it: a file can be compared with one, and not with
// another.
func TestStateOfASharedParentIsOfOneChild(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	hash := dataset(t, in("a.csv"), datasets.Positions, "", 2, "sample", "--n=2")
	hash = dataset(t, in("b.csv"), datasets.Labels, hash, 1, "label", "a.csv")
	m, _ := owarefeatures.FindPublished("thesis4")
	m.Named.Provenance = features.Provenance{Dataset: hash, Prior: strings.Repeat("1", 16), Made: MadeBy([]string{"fit", "b.csv", "--validate=a.csv"}, strings.Repeat("0", 64))}
	testkit.NoError(t, m.Named.Save(in("w.json")))
	text := originOf(t, in("w.json"))
	if n := strings.Count(text, string(changedSince)); n != 1 {
		t.Errorf("%d parents have changed, want a.csv of w.json:\n%s", n, text)
	}
	if strings.Contains(text, "make b.csv again") {
		t.Errorf("labels of unchanged positions are made again:\n%s", text)
	}
}
