package run

import (
	"path/filepath"
	"testing"

	"kroo/internal/parallel"
	"kroo/internal/testkit"
)

// comparing compares what a run reports with what its follower reads at that moment.
type comparing struct {
	t        *testing.T
	follower *Follower
	stages   map[string]int // progress compared, by the title of a stage
}

func (c comparing) Stage(title, unit string) (parallel.Progress, func(error)) {
	progress := func(done, total int64, figures string) {
		c.t.Helper()
		s, err := c.follower.Standing(c.t.Context())
		testkit.NoError(c.t, err)
		testkit.Equal(c.t, s.Stage, title, "stage in work")
		c.stages[title]++
		switch {
		case unit == "games":
			testkit.Equal(c.t, s.Done, done, "games of %s", title)
			testkit.Equal(c.t, s.Total, total, "all games of %s", title)
			testkit.Equal(c.t, s.Figures, figures, "figures of %s", title)
		case s.Total > 0 && (s.Total != total || s.Done < 0 || s.Done > total):
			c.t.Errorf("%s: %d of %d where the run reports %d of %d", title, s.Done, s.Total, done, total)
		}
	}
	return progress, func(error) {}
}

func (c comparing) Skip(string) {}

// A follower reads the stage in work and its progress from the files of the run, and of a match the
// score that the run itself reports.
func TestAFollowerReadsWhatTheRunReports(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r := testkit.Must(New(dir, tiny, "tiny"))(t)
	f := testkit.Must(Follow(dir))(t)
	c := comparing{t, f, map[string]int{}}
	testkit.NoError(t, r.Execute(t.Context(), c))
	for _, title := range []string{"training labels", "weights against captures", "book"} {
		if c.stages[title] == 0 {
			t.Errorf("the progress of %s was never compared", title)
		}
	}
	s := testkit.Must(f.Standing(t.Context()))(t)
	testkit.Equal(t, s.Stage, "", "stage in work at the end")
	testkit.Equal(t, len(s.Finished), len(f.Titles()), "finished stages")
	testkit.NoError(t, f.Close())
}
