package run

import (
	"strings"
	"testing"

	"kroo/internal/testkit"
)

func TestReportSaysWhatItCompares(t *testing.T) {
	r := newRun(t)
	testkit.NoError(t, new(watcher).start(t, r))
	page := testkit.Text(t, r.path(reportFile))
	for _, want := range []string{"Samples", "share of each sample", "proven labels", "uniform: every board equally likely", "advantage of the side to move", `href="#made"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
}
