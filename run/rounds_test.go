package run

import (
	"os"
	"slices"
	"strings"
	"testing"

	owarefeatures "kroo/features/oware"
	"kroo/internal/testkit"
	"kroo/report"
)

// tinyRounds is a run of two rounds that takes about a second.
const tinyRounds = `
rules = "abapa"
seed = 5
workers = 2
[[round]]
[round.positions]
method = "mix"
shares = "games=0.8,uniform=0.2"
` + tinyPositions + `
[round.noise]
positions = 10
repeats = 2
[round.fit]
set = "store+houses"
` + tinyFit + `
[round.gate]
pairs = 4
` + tinyGames + `
[[round]]
keep = 1
[round.positions]
method = "games"
` + tinyPositions + `
[round.fit]
set = "store+houses+adjacent"
` + tinyFit + `
[round.gate]
pairs = 4
sprt = "0,50"
` + tinyGames + `
[[final]]
opponent = "thesis4"
pairs = 2
` + tinyGames

// Settings that rounds share.
const (
	tinySearch    = "nodes = 100\nhash_mb = 1"
	tinyPositions = "n = 600\nnodes = 60\nsplit = 0.3\n[round.labels]\n" + tinySearch
	tinyFit       = "loss = \"chances\"\nridge = 2.0"
	tinyGames     = "opening_plies = 6\n" + tinySearch
)

// Rounds give the same files with any number of workers, and the champion is the winner of the
// last gate.
func TestRoundsGiveTheSameFilesWithAnyWorkers(t *testing.T) {
	two, _ := finished(t, tinyRounds)
	one, _ := finished(t, strings.Replace(tinyRounds, "workers = 2", "workers = 1", 1))
	a, b := tree(t, two.Dir), tree(t, one.Dir)
	for name := range a {
		if name == ConfigFile || name == ManifestFile || name == reportFile { // these contain the workers, or the configuration's hash
			continue
		}
		testkit.Equal(t, a[name], b[name], "%s depends on the number of workers", name)
	}
	testkit.Contains(t, a[reportFile], "Rounds", "houses + adjacent", "thesis4", "round 2 gate", "Round 1. Noise of labels", "limit of labels, round 1")
	for _, name := range []string{"final1.ogn", "round1-gate.ogn"} { // repeating a match repeats the report
		if !slices.Contains(two.reportInputs(), name) {
			t.Errorf("the report does not depend on %s", name)
		}
	}
	gate := testkit.Must(resultOf[gateResult](two.manifest, "round2-gate"))(t)
	want := two.championFile(1)
	if gate.Accepted {
		want = roundWeights(2)
	}
	testkit.Equal(t, a[two.championFile(2)], a[want], "the champion is not %s, accepted %t", want, gate.Accepted)
	w, err := owarefeatures.Find(two.path(two.championFile(2)), "")
	if err != nil || w.Tables == nil || w.Tables.Header().Rules != "abapa" {
		t.Errorf("the champion: %v", err)
	}
}

// All records of a run of rounds follow from those before them: a deleted file is made again alone.
func TestDeletedFileOfARoundIsRebuilt(t *testing.T) {
	r, _ := finished(t, tinyRounds)
	want := tree(t, r.Dir)
	testkit.NoError(t, os.Remove(r.path(roundLabels(1))))
	w := resume(t, r.Dir)
	testkit.EqualSlices(t, w.ran, []string{"round 1 labels"}, "stages done again")
	compare(t, tree(t, r.Dir), want)
}

func TestRoundsResumeWhereTheyStopped(t *testing.T) {
	whole, all := finished(t, tinyRounds)
	want := tree(t, whole.Dir)
	for _, title := range []string{"round 1 positions", "round 1 labels", "round 1 fit", "round 2 gate", "champion against thesis4"} {
		if !slices.Contains(all.ran, title) {
			t.Fatalf("no stage %q in %q", title, all.ran)
		}
		r := stopped(t, tinyRounds, title, 0)
		resume(t, r.Dir)
		t.Run(title, func(t *testing.T) { compare(t, tree(t, r.Dir), want) })
	}
}

// Weights that fail the screen play no gate: the champion stays.
func TestRoundThatFailsTheScreenHasNoGate(t *testing.T) {
	i := strings.LastIndex(tinyRounds, "[round.gate]")
	const undecided = "[round.screen]\npairs = 4\nsprt = \"0,5\"\nopening_plies = 6\nnodes = 77\nhash_mb = 1\n" // 8 games cannot decide the test
	r, _ := finished(t, tinyRounds[:i]+undecided+tinyRounds[i:])
	files := tree(t, r.Dir)
	if files["round2-screen.ogn"] == "" || files["round2-gate.ogn"] != "" {
		t.Errorf("screen %.40q, gate %.40q: want games, and none", files["round2-screen.ogn"], files["round2-gate.ogn"])
	}
	testkit.Equal(t, files[r.championFile(2)], files[r.championFile(1)], "weights that failed the screen are the champion")
	var shown []string
	for _, m := range testkit.Must(r.results())(t).matches {
		shown = append(shown, m.name+": "+m.notes)
	}
	text := strings.Join(shown, "\n")
	testkit.Contains(t, text, "round 1 gate: ", "round 2 screen: nodes 77,")
	if strings.Contains(text, "round 2 gate") {
		t.Errorf("a gate that was not played is shown:\n%s", text)
	}
}

// Titles are keys of pages and comparisons: matches against the same opponent differ in theirs.
func TestFinalsHaveDifferentTitles(t *testing.T) {
	finals := []Final{{Opponent: "thesis4"}, {Opponent: "captures"}, {Opponent: "thesis4"}}
	finals[0].Nodes = 100
	finals[2].Nodes = 200
	for i, want := range []string{"champion against thesis4 (final 1, ", "champion against captures", "champion against thesis4 (final 3, "} {
		testkit.Contains(t, finalTitle(finals, i), want)
	}
}

// The first round has no earlier weights: its weights become champion even without winning, and
// file and report say so.
func TestFirstWeightsBecomeChampionWithoutWinning(t *testing.T) {
	const undecided = "[round.gate]\npairs = 4\nsprt = \"0,5\"\n" // 8 games cannot decide the test
	r, _ := finished(t, strings.Replace(tinyRounds, "[round.gate]\npairs = 4\n", undecided, 1))
	results := testkit.Must(r.results())(t)
	g := results.rounds[0].gate
	if files := tree(t, r.Dir); files[r.championFile(1)] != files[roundWeights(1)] || !g.Accepted || !g.Fallback {
		t.Errorf("accepted %t, fallback %t, champion of round 1 or not", g.Accepted, g.Fallback)
	}
	if page, err := os.ReadFile(r.path(reportFile)); err != nil || !strings.Contains(string(page), "although it did not win") {
		t.Errorf("the report does not say it: %v", err)
	}
	won := 0
	if second := results.rounds[1].gate; second.Accepted {
		won = 1
	}
	testkit.Contains(t, results.roundsLead(), "beat the previous ones: "+report.Plural(won, "time")+". The first round's were kept although they did not win")
	results.rounds[0].gate.Fallback = false
	if lead := results.roundsLead(); !strings.HasSuffix(lead, ": "+report.Plural(won+1, "time")+".") {
		t.Errorf("%q: expected the first round to have won", lead)
	}
}
