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
				b.until(`document.querySelectorAll("figure svg").length >= 8 && document.querySelectorAll("#maps img").length === 6`)
				if stages := b.number(`document.querySelectorAll("#maps .chips a").length`); stages < 2 {
					t.Errorf("%g stages, expected those of the default weights", stages)
				}
				b.click("#maps .chips a:nth-of-type(2)")
				b.until(`document.querySelector("#maps .chips a:nth-of-type(2)")?.getAttribute("aria-current") === "true"`)
				b.run(chromedp.Evaluate(`document.getElementById("maps").scrollIntoView(); for (const i of document.querySelectorAll("#maps img")) i.loading = "eager"; 0`, nil))
				b.until(`[...document.querySelectorAll("#maps img")].every((i) => i.complete && i.naturalWidth === 512)`)
				b.set("g", "D")
				b.set("other", "small/patterns.weights")
				b.click("#choice button")
				b.until(`/random boards/.test(document.querySelector("main").textContent) && /Seeds in d \(down\)/.test(document.querySelector("main").textContent)`)
				b.shot(fmt.Sprintf("weights-%d-%s", width, map[bool]string{false: "light", true: "dark"}[dark]))
				b.open("/weights?name=small/weights.json") // where nothing adds to the value of the start
				b.until(`/set thesis/.test(document.querySelector(".status").textContent) && document.getElementById("fault").hidden`)
			})
		}
	}
}
