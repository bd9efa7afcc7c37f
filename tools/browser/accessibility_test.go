package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// axe finds no accessibility violation on any page, in both themes, at both widths.
func TestAccessibility(t *testing.T) {
	axe, err := os.ReadFile("node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skip("skipped: no axe-core; npm ci --prefix tools/browser")
	}
	for _, width := range widths {
		for _, dark := range []bool{false, true} {
			for _, path := range []string{"/?moves=FfEe", "/?moves=FfEe&tree=FfE(A(B)a)e", "/?from=0-1-0-0-2-0-1-0-0-0-1-0-21-22-S", "/book", "/files?name=small/labels.parquet&other=small/features.parquet", "/files?name=small/patterns.weights", "/runs?name=small", "/files", "/files?name=small/match.ogn", "/rules", "/nosuch"} {
				t.Run(fmt.Sprint(width, dark, path), func(t *testing.T) {
					b := newTab(t, width, dark)
					b.open(path)
					if path == "/?moves=FfEe" {
						b.click("#analyse")
						b.until(`document.querySelectorAll("#lines tr").length === 3`)
						b.click("#edit summary")
						b.until(`!document.getElementById("known").hidden`)
						b.click("#review")
						b.until(`document.querySelector("#graph svg")`)
					}
					b.audit(string(axe))
				})
			}
		}
	}
}

// audit runs axe on a page.
func (b tab) audit(axe string) {
	b.Helper()
	var found []struct {
		ID, Impact, Help string
		Nodes            []struct{ HTML, FailureSummary string }
	}
	var text string
	b.run(chromedp.Evaluate(axe+"; 0", nil), chromedp.Evaluate(`axe.run().then((r) => JSON.stringify(r.violations))`, &text,
		awaitPromise))
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		b.Fatal(err)
	}
	for _, v := range found {
		report := b.Logf
		if v.Impact == "serious" || v.Impact == "critical" {
			report = b.Errorf
		}
		report("%s: %s: %s\n%s\n%s", v.Impact, v.ID, v.Help, v.Nodes[0].HTML, v.Nodes[0].FailureSummary)
	}
}
