package run

import (
	"testing"

	"kroo/internal/testkit"
)

func TestReportNamesWhatItCompares(t *testing.T) {
	r := newRun(t)
	testkit.NoError(t, new(watcher).start(t, r))
	page := testkit.Text(t, r.path(reportFile))
	testkit.Contains(t, page, "Samples and labels", "What the weights say", "Figures as files", "share of each sample", "proven labels", "uniform: every board equally likely", "advantage of the side to move", `href="#made"`)
}
