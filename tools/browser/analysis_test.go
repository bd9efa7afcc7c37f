package browser

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// An analysis goes on until it is stopped, past the limit of others; it draws the score by
// depth, and that of the moves whose positions were looked at.
func TestEndlessAnalysis(t *testing.T) {
	for _, width := range widths {
		for _, dark := range []bool{false, true} {
			t.Run(fmt.Sprint(width, dark), func(t *testing.T) {
				b := newTab(t, width, dark)
				b.open("/?moves=FfEe")
				nodes := `Number(document.getElementById("nodes").textContent.replace(/\D/g, ""))`
				b.click("#analyse")
				b.click("#endless")
				b.until(`document.querySelectorAll("#lines tr").length > 3`)
				b.click("#back")
				b.until(`document.querySelector("#deepening svg") && document.querySelector("#graph svg")`)
				b.within(2*time.Minute, nodes+` > 2_000_000`) // the limit of an analysis with an end
				b.shot(fmt.Sprintf("endless-%d-%s", width, map[bool]string{false: "light", true: "dark"}[dark]))
				b.click("#analyse")
				b.until(`document.getElementById("analysis").hidden`)
			})
		}
	}
}

// Book values are hidden during a game until they are asked for, and shown at every move of
// a game that is looked at.
func TestBookIsHiddenDuringAGame(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open("/?moves=FfEe")
	b.until(`/Book/.test(document.getElementById("known").textContent) && !document.getElementById("known").hidden`)
	b.click("#first")
	b.until(`/Book/.test(document.getElementById("known").textContent) && document.querySelectorAll("#known .chip").length === 6`)
	b.set("level", "beginner")
	b.click("#new button[type=submit]")
	b.until(`location.search === "" && document.getElementById("known").hidden && !document.getElementById("known-row").hidden`)
	b.click("#ask-known")
	b.until(`/Book/.test(document.getElementById("known").textContent) && !document.getElementById("known").hidden`)
	b.shot("known-1280-light")
	b.click("#resign")
	b.until(`document.getElementById("known-row").hidden && !document.getElementById("known").hidden`)
}

// A position is set up by its seeds, which must be 48, and put on the board.
func TestSetUpAPosition(t *testing.T) {
	for _, width := range widths {
		for _, dark := range []bool{false, true} {
			t.Run(fmt.Sprint(width, dark), func(t *testing.T) {
				b := newTab(t, width, dark)
				b.open("/?moves=F")
				b.click("#edit summary")
				b.until(`document.querySelector("#edit-houses input[aria-label^='F,']").value === "0" && document.getElementById("edit-turn").value === "N"`)
				b.run(chromedp.SetValue(`#edit-houses input[aria-label^="A,"]`, ""), chromedp.SendKeys(`#edit-houses input[aria-label^="A,"]`, "3"))
				b.until(`/47 of 48 seeds: 1 missing/.test(document.getElementById("edit-said").textContent) && document.getElementById("edit-use").disabled`)
				b.run(chromedp.SetValue(`#edit-stores input[aria-label^="South"]`, ""), chromedp.SendKeys(`#edit-stores input[aria-label^="South"]`, "1"))
				b.until(`/as there must be/.test(document.getElementById("edit-said").textContent)`)
				b.shot(fmt.Sprintf("edit-%d-%s", width, map[bool]string{false: "light", true: "dark"}[dark]))
				b.click("#edit-use")
				b.until(`location.search === "?from=3-4-4-4-4-0-5-5-5-5-4-4-1-0-N" && /North to move/.test(document.getElementById("status").textContent)`)
			})
		}
	}
}
