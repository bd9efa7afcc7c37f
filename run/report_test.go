package run

import (
	"strings"
	"testing"
)

func TestReportSaysWhatItCompares(t *testing.T) {
	r := newRun(t)
	if err := new(watcher).start(t, r); err != nil {
		t.Fatal(err)
	}
	page := content(t, r.path(reportFile))
	for _, want := range []string{"Samples", "share of each sample", "proven labels", "uniform: every board equally likely", "advantage of the side to move", `href="#made"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
}
