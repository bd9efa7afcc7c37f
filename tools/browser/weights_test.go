package browser

import (
	"fmt"
	"testing"
)

// A person has a position explained by weights, looks at two houses together, and
// compares two weights.
func TestExplainWeights(t *testing.T) {
	for _, width := range widths {
		for _, dark := range []bool{false, true} {
			t.Run(fmt.Sprint(width, dark), func(t *testing.T) {
				b := newTab(t, width, dark)
				b.open("/weights?board=4-4-4-4-4-0-5-5-5-5-4-4-0-0-N")
				b.until(`document.querySelectorAll("#curves svg").length === 12 && document.querySelectorAll(".heat td").length > 60`)
				before := b.text(`document.getElementById("heat").textContent`)
				b.set("g", "3")
				b.until(fmt.Sprintf(`document.getElementById("heat").textContent !== %q`, before))
				b.set("other", "small/patterns.weights")
				b.until(`/random boards/.test(document.getElementById("difference").textContent)`)
				b.shot(fmt.Sprintf("weights-%d-%s", width, map[bool]string{false: "light", true: "dark"}[dark]))
				b.set("name", "small/weights.json")
				b.until(`document.getElementById("about").textContent.includes("thesis")`)
			})
		}
	}
}
