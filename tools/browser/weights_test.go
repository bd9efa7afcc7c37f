package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
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
				b.until(`document.querySelectorAll("#tables img").length === 6`)
				stages := b.number(`document.getElementById("stage").options.length`)
				if stages < 2 {
					t.Errorf("%g stages, expected those of the default weights", stages)
				}
				b.set("stage", b.text(`document.getElementById("stage").options[1].value`))
				b.run(chromedp.Evaluate(`document.getElementById("tables").scrollIntoView(); for (const i of document.querySelectorAll("#tables img")) i.loading = "eager"; 0`, nil))
				b.until(`[...document.querySelectorAll("#tables img")].every((i) => i.complete && i.naturalWidth === 512)`)
				before := b.text(`document.getElementById("heat").textContent`)
				b.set("g", "3")
				b.until(fmt.Sprintf(`document.getElementById("heat").textContent !== %q`, before))
				b.set("other", "small/patterns.weights")
				b.until(`/random boards/.test(document.getElementById("difference").textContent)`)
				b.shot(fmt.Sprintf("weights-%d-%s", width, map[bool]string{false: "light", true: "dark"}[dark]))
				b.set("name", "small/weights.json")
				b.until(`document.getElementById("about").textContent.includes("thesis")`)
				b.open("/weights?name=small/weights.json") // where nothing adds to the value of the start
				b.until(`document.getElementById("about").textContent.includes("thesis") && document.getElementById("fault").hidden`)
			})
		}
	}
}
