package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A person plays a whole game by clicking houses; the engine answers; the game is
// reviewed, and the result is the one that the server computes from the moves.
func TestAWholeGame(t *testing.T) {
	inBothSizes(t, func(t *testing.T, b tab) {
		b.open("/")
		b.set("level", "beginner")
		b.do(`document.getElementById("animate").checked && document.getElementById("animate").click()`)
		b.click("#new button[type=submit]")
		moves := 0
		for ; moves < 300; moves++ {
			// Before a new game starts, the status is that of the old one, and no house is playable.
			b.until(`/game is over/.test(document.getElementById("status").textContent) ||
				/Your move/.test(document.getElementById("status").textContent) && document.querySelector(".house.playable")`)
			if strings.Contains(b.text(`document.getElementById("status").textContent`), "over") {
				break
			}
			before := b.text(`location.search`)
			houses := int(b.number(`document.querySelectorAll(".house.playable").length`))
			nth := moves % houses
			if moves == 0 {
				nth = houses - 1 // F, the move of the book
			}
			house := b.text(fmt.Sprintf(`document.querySelectorAll(".house.playable")[%d].dataset.house`, nth))
			b.click(fmt.Sprintf(`.house[data-house="%s"]`, house))
			b.until(fmt.Sprintf(`location.search !== %q`, before))
		}
		status := b.text(`document.getElementById("status").textContent`)
		t.Logf("%d moves of the person: %s", moves, status)
		if !strings.Contains(status, "over") || moves < 5 {
			t.Fatalf("the game did not end: %s", status)
		}
		var state struct {
			Over    bool
			Outcome string
		}
		getJSON(t, "/api/game"+b.text("location.search"), &state)
		if !state.Over || !strings.Contains(status, state.Outcome) {
			t.Errorf("the server says over %v, %q", state.Over, state.Outcome)
		}
		b.click("#review")
		b.within(2*time.Minute, `document.querySelector("#graph svg") && !document.getElementById("review").disabled`)
		if n := b.number(`document.querySelectorAll(".moves .mark.book").length`); n == 0 {
			t.Error("no move of the book is marked")
		}
		b.click(".moves li:nth-child(3) button")
		b.until(`!document.getElementById("verdict").hidden`)
		b.shot("review-" + b.name)
	})
}

// A review ends with accuracy, mean loss and counts of each side, and links to its worst moves. Each
// grade has its own shape.
func TestTheWorstMovesOfEachSide(t *testing.T) {
	inEveryWindow(t, func(t *testing.T, b tab) {
		b.open("/?moves=AaBbCcDdEeFf")
		b.click("#review")
		b.within(2*time.Minute, `!document.getElementById("review").disabled && !document.getElementById("summary").hidden`)
		b.until(`[...document.querySelectorAll("#summary tbody tr")].every((r, i) => new RegExp("^" + ["South", "North"][i] + " \\d+ % [\\d.]+ % \\d+ \\d+ \\d+$").test(r.innerText.trim().replace(/\s+/g, " ")))`)
		worst := b.text(`document.querySelector("#summary .ply").getAttribute("aria-label")`)
		b.click("#summary .ply")
		b.until(fmt.Sprintf(`document.querySelector("#moves [aria-current]").getAttribute("aria-label") === %q && !document.getElementById("verdict").hidden`, worst))
		if !strings.Contains(worst, "blunder") || b.number(`new Set([...document.querySelectorAll("#graph .legend path")].map((p) => p.getAttribute("d"))).size`) != 4 || b.number(`document.querySelector("#graph .sign").clientWidth`) > 20 {
			t.Errorf("the worst move is %s; the legend has too few shapes, or large ones", worst)
		}
		b.shot("worst-" + b.name)
	})
}

// A lesson shows each mistake of a reviewed game again: it refutes a bad try, accepts the best move, and
// counts.
func TestLearnFromMistakes(t *testing.T) {
	inBothSizes(t, func(t *testing.T, b tab) {
		b.open("/?moves=AaBbCcDdEeFfAaBbCc")
		b.click("#review")
		b.within(2*time.Minute, `!document.getElementById("review").disabled && !document.getElementById("learn").hidden`)
		mistakes := int(b.number(`document.querySelectorAll("#moves .mistake.ply, #moves .blunder.ply").length`))
		b.click("#learn")
		for i := range mistakes {
			b.until(fmt.Sprintf(`/Mistake %d of %d/.test(document.getElementById("lesson").textContent) && document.querySelector(".house.playable")`, i+1, mistakes))
			said := b.text(`document.querySelector("#lesson p").textContent`)
			played := strings.Fields(strings.SplitAfter(said, " played ")[1])[1] // after its number
			if i == 0 {                                                          // the move of the game, once more
				if !b.hidden("known") {
					t.Error("book and tables tell the answer")
				}
				b.click(fmt.Sprintf(`.house[aria-label^=%q]`, played+" "))
				b.until(`/move of the game.*(loses|wins|%) instead of .*Try again/.test(document.getElementById("lesson").textContent)`)
				b.shot("lesson-wrong-" + b.name)
				b.do(`[...document.querySelectorAll("#lesson button")].find((e) => e.textContent === "Show why")?.click()`)
				b.until(`/plays/.test(document.getElementById("status").textContent)`)
				b.until(`document.querySelector(".house.playable")`)
			}
			var best struct{ Search struct{ Move string } }
			getJSON(t, "/api/hint?"+b.text(fmt.Sprintf(`new URLSearchParams({ moves: %q.slice(0, document.querySelector("#moves [aria-current]")?.dataset.ply ?? 0) })`, "AaBbCcDdEeFfAaBbCc")), &best)
			b.click(fmt.Sprintf(`.house[aria-label^=%q]`, best.Search.Move+" "))
			b.until(`/is the best move|is good, too/.test(document.getElementById("lesson").textContent)`)
			if i == 0 {
				b.shot("lesson-right-" + b.name)
			}
			b.click("#lesson button")
		}
		b.until(fmt.Sprintf(`/better move for %d of %d mistakes?, %d at the first try/.test(document.getElementById("lesson").textContent)`, mistakes, mistakes, mistakes-1))
		b.shot("lesson-end-" + b.name)
	})
}

// A move is animated seed by seed: the houses fill one after the other.
func TestSowingIsAnimated(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open("/")
	b.set("level", "")
	b.click("#new button[type=submit]")
	b.until(`location.search === "" && document.querySelector(".house.playable")`)
	b.do(`window.seen = []; new MutationObserver(() => {
		const now = [...document.querySelectorAll(".house")].map((h) => h.dataset.seeds).join(" ");
		if (seen.at(-1) !== now) seen.push(now);
	}).observe(document.getElementById("board"), { subtree: true, attributes: true, attributeFilter: ["data-seeds"] })`)
	b.click(`.house[data-house="2"]`)
	b.until(`location.search.includes("moves=C")`)
	if n := b.number("seen.length"); n < 5 {
		t.Errorf("%g boards were shown, expected one for each seed: %s", n, b.text("seen.join(' | ')"))
	}
}

// Keys play, step and analyse; the address of a game opens it again.
func TestKeysAnalysisAndLinks(t *testing.T) {
	inEveryWindow(t, func(t *testing.T, b tab) {
		b.open("/?moves=FfEe")
		if got := b.text(`document.querySelectorAll(".moves li").length`); got != "4" {
			t.Fatalf("the link shows %s moves, expected 4", got)
		}
		b.do(`document.getElementById("animate").checked && document.getElementById("animate").click()`)
		b.run(chromedp.KeyEvent("v"))
		b.until(`document.querySelectorAll("#lines tr").length === 3 && Number(document.getElementById("depth").textContent) >= 12`)
		b.until(`document.querySelectorAll(".house .value:not(.empty)").length > 3`)
		b.shot("board-" + b.name)
		b.run(chromedp.KeyEvent("c"))
		b.until(`location.search.includes("moves=FfEeC")`)
		b.run(chromedp.KeyEvent("u"))
		b.until(`location.search.endsWith("moves=FfEe")`)
		b.run(chromedp.KeyEvent("h"))
		b.until(`/^Hint: [A-F] \(\d+ %, depth \d+\)/.test(` + status + `)`)
	})
}

// The endgame tables have the value of a board with few seeds.
func TestEndgameTable(t *testing.T) {
	b := newTab(t, 390, false)
	b.open("/?from=0-1-0-0-2-0-1-0-0-0-1-0-21-22-S")
	b.until(`/Endgame tables/.test(document.getElementById("known").textContent)`)
	b.shot("endgame-390-light")
}

// The page of the board is small and fast.
func TestPageIsLightAndFast(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open("/")
	bytes := b.number(`performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation")).reduce((n, e) => n + e.decodedBodySize, 0)`)
	b.open("/") // the first page of a browser waits for the browser
	b.until(`performance.getEntriesByName("first-contentful-paint").length === 1`)
	first := b.number(`performance.getEntriesByName("first-contentful-paint")[0].startTime`)
	board := b.number(`performance.getEntriesByName("board")[0].startTime`)
	t.Logf("%g bytes; first paint after %.0f ms, board drawn after %.0f ms", bytes, first, board)
	if bytes > 150_000 {
		t.Errorf("the page of the board is %g bytes, expected at most 150 000", bytes)
	}
	if board > 200 {
		t.Logf("over 200 ms: is the machine busy?")
	}
}

// A new game leaves the old one in the history: Back returns to it, with its opponent. A reload keeps the
// analysis and the review.
func TestNothingIsLost(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open("/?moves=AaBb")
	b.click("#review")
	b.within(2*time.Minute, `!document.getElementById("summary").hidden`)
	b.click("#analyse")
	b.until(`document.querySelectorAll("#lines tr").length === 3`)
	b.run(chromedp.Reload())
	b.until(`document.documentElement.dataset.ready === "true" && !document.getElementById("summary").hidden && document.querySelectorAll("#lines tr").length === 3`)
	b.set("level", "easy")
	b.click("#settings summary")
	b.click("#new button[type=submit]")
	b.until(`location.search === "" && /returns to the last game/.test(` + status + `)`)
	b.run(chromedp.NavigateBack())
	b.until(`document.documentElement.dataset.ready === "true" && location.search === "?moves=AaBb" && document.getElementById("level").value === "easy"`)
	b.set("text", "?moves=FfExA")
	b.click("#load")
	b.until(`location.search === "?moves=FfE" && /stops before move 2.../.test(document.getElementById("fault").textContent) && document.getElementById("shared").textContent === ""`)
	b.set("text", "?moves=Ff")
	b.click("#load")
	b.until(`location.search === "?moves=Ff" && document.getElementById("fault").hidden`)
}

// Switching the analysis on moves no house.
func TestTheBoardStaysWhenAnalysed(t *testing.T) {
	inBothSizes(t, func(t *testing.T, b tab) {
		b.open("/?moves=FfEe")
		const places = `JSON.stringify([...document.querySelectorAll(".house .hole, .controls")].map((e) => { const r = e.getBoundingClientRect(); return [r.x, r.y + scrollY, r.width].map(Math.round); }))`
		b.do(`scrollTo(0, 0)`)
		before := b.text(places)
		b.do(`document.getElementById("analyse").click()`)
		b.until(`!document.getElementById("ahead").hidden && document.querySelector(".house .value:not(.empty)")`)
		if after := b.text(places); after != before {
			t.Errorf("houses move from %s to %s", before, after)
		}
		b.shot("analysed-" + b.name)
	})
}
