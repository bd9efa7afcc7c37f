package browser

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// An infinite analysis exceeds the node limit until it is stopped. It draws the scores by depth, and the
// chances of the positions that were analysed.
func TestEndlessAnalysis(t *testing.T) {
	inEveryWindow(t, func(t *testing.T, b tab) {
		b.open("/?moves=FfEe")
		nodes := `Number(document.getElementById("nodes").textContent.replace(/\D/g, ""))`
		b.click("#analyse")
		b.click("#endless")
		b.until(`document.querySelectorAll("#lines tr").length === 3`)
		b.click("#back")
		b.until(`document.querySelector("#deepening svg") && document.querySelector("#graph svg")`)
		b.within(2*time.Minute, nodes+` > 2_000_000`) // the limit of an analysis with an end
		b.shot("endless-" + b.name)
		b.click("#analyse")
		b.until(`document.getElementById("analysis").hidden`)
	})
}

// Two infinite analyses leave room for a move in a third tab. One of them shows that it waits for its turn,
// and continues.
func TestInfiniteAnalysesGiveWay(t *testing.T) {
	first, second, third := newTab(t, 1280, false), newTab(t, 1280, false), newTab(t, 390, false)
	for _, b := range []tab{first, second} {
		b.open("/?moves=FfEe&analyse")
		b.do(`new MutationObserver(() => { globalThis.waited ||= document.getElementById("turn").textContent !== ""; }).observe(document.getElementById("turn"), { childList: true })`)
		b.click("#endless")
		b.until(`document.querySelectorAll("#lines tr").length === 3`)
	}
	third.open("/")
	third.click(`#welcome [data-level="easy"]`)
	third.click(`.house[data-house="5"]`)
	third.within(10*time.Second, `/^.moves=F[a-f]$/.test(location.search)`)
	for end := time.Now().Add(10 * time.Second); first.text("globalThis.waited")+second.text("globalThis.waited") == "undefinedundefined"; {
		if time.Now().After(end) {
			t.Fatal("no analysis has given way")
		}
	}
	for _, b := range []tab{first, second} {
		b.until(`document.getElementById("turn").textContent === ""`)
	}
}

// Book values are hidden during a game until requested, and shown for every position of a finished or
// loaded game.
func TestBookIsHiddenDuringAGame(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open("/?moves=FfEe")
	b.until(`/Book/.test(document.getElementById("known").textContent) && !document.getElementById("known").hidden`)
	b.click("#first")
	b.until(`/Book/.test(document.getElementById("known").textContent) && [...document.querySelectorAll("#known .chip")].filter((e) => /^[A-F]( ★)? \d+ %, [+−]?[\d.]+$/.test(e.textContent)).length === 6`)
	b.set("level", "beginner")
	b.click("#settings summary")
	b.click("#new button[type=submit]")
	b.until(`location.search === "" && document.getElementById("known").hidden && !document.getElementById("known-row").hidden`)
	b.click("#ask-known")
	b.until(`/Book/.test(document.getElementById("known").textContent) && !document.getElementById("known").hidden`)
	b.shot("known-1280-light")
	b.click("#resign")
	b.until(`document.getElementById("known-row").hidden && !document.getElementById("known").hidden`)
}

// A position of 48 seeds is set up and put on the board.
func TestSetUpAPosition(t *testing.T) {
	inEveryWindow(t, func(t *testing.T, b tab) {
		b.open("/?moves=F")
		b.click("#edit summary")
		b.until(`document.querySelector("#edit-houses input[aria-label^='F,']").value === "0" && document.getElementById("edit-turn").value === "N"`)
		b.run(chromedp.SetValue(`#edit-houses input[aria-label^="A,"]`, ""), chromedp.SendKeys(`#edit-houses input[aria-label^="A,"]`, "3"))
		b.until(`/47 of 48 seeds: 1 missing/.test(document.getElementById("edit-said").textContent) && document.getElementById("edit-use").disabled`)
		b.click(`#edit-houses button[aria-label="Put a seed into South's store"]`)
		b.until(`/as required/.test(document.getElementById("edit-said").textContent)`)
		b.click(`#edit-houses button[aria-label="Put a seed into B, South's house"]`)
		b.until(`/49 of 48 seeds: 1 too many/.test(document.getElementById("edit-said").textContent)`)
		b.click("#edit-take")
		b.click(`#edit-houses button[aria-label="Take a seed out of B, South's house"]`)
		b.until(`/as required/.test(document.getElementById("edit-said").textContent) && document.querySelectorAll("#edit-houses .pit:nth-child(8) .seed").length === 3`)
		b.shot("edit-" + b.name)
		b.click("#edit-use")
		b.until(`location.search === "?from=3-4-4-4-4-0-5-5-5-5-4-4-1-0-N" && /North to move/.test(document.getElementById("status").textContent)`)
	})
}

// Pointing at a move of a line shows the board after it; clicking plays it, as a variation of an earlier
// position. A bar shows who is ahead.
func TestLinesOfBestPlayAreMoves(t *testing.T) {
	const seeds = `[...document.querySelectorAll("#board .house")].map((h) => h.dataset.seeds).join(" ")`
	inBothSizes(t, func(t *testing.T, b tab) {
		b.open("/?moves=FfEe&analyse")
		b.do(atOnce)
		b.until(`document.querySelectorAll("#lines tr").length === 3 && Number(document.getElementById("depth").textContent) >= 12`)
		b.until(`/^(Even|(South|North) is ahead): South wins \d+ %, draw \d+ %, North wins \d+ %$/.test(document.getElementById("bar").ariaLabel) && /South wins \d+ %/.test(document.getElementById("ahead").innerText)`)
		b.until(`/^\d+ %$/.test(document.querySelector("#lines .number").textContent) && /[A-F] \d+ \d+ %, South's house, playable/.test(document.querySelector(".house.best").ariaLabel)`)
		b.click("#all-lines")
		b.until(`document.querySelectorAll("#lines tr").length === 5`)
		b.click("#all-lines")
		before := b.text(seeds)
		b.do(`document.querySelector("#lines").scrollIntoView({ block: "center" })`)
		b.do(`document.querySelector("#lines .step:nth-child(3)").dispatchEvent(new PointerEvent("pointermove", { bubbles: true, movementX: 1 }))`)
		b.until(fmt.Sprintf(seeds+` !== %q && document.querySelectorAll(".house .value:not(.empty)").length === 0`, before))
		b.shot("line-shown-" + b.name)
		b.do(`document.querySelector("#lines").dispatchEvent(new PointerEvent("pointerleave"))`)
		b.until(fmt.Sprintf(seeds+` === %q`, before))
		b.click("#back")
		b.click("#back")
		b.within(time.Minute, `document.querySelectorAll("#lines tr").length === 3 && document.getElementById("nodes").textContent.replace(/\D/g, "") === "2000000"`)
		b.do(`[...document.querySelectorAll("#lines tr")].find((r) => r.cells[0].textContent !== "E").id = "other"`) // E is the move of the game
		b.click("#other .step:nth-child(2)")
		b.until(`/^.moves=Ff[A-D][a-f]&tree=FfE%28[A-D][a-f]%29e$/.test(location.search) && document.querySelector("#moves .branch [aria-current]")`)
	})
}

// A threat is what the other side would play if it were its move.
func TestThreat(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open("/?from=0-0-1-4-4-4-0-0-0-2-2-1-14-16-S&analyse")
	b.until(`document.querySelectorAll("#lines tr").length === 3`)
	b.click("#threat")
	b.until(`/if it were North's move/.test(document.getElementById("threat-note").textContent) && /^[a-f]$/.test(document.querySelector("#lines th").textContent) && document.getElementById("bar").hidden`)
	b.until(`document.querySelectorAll(".house .value:not(.empty)").length === 3 && document.querySelector(".house.best").dataset.house > 5`)
	b.shot("threat-1280-light")
	b.click("#lines .step")
	b.until(`/A threat is shown, not played/.test(` + status + `) && location.search.startsWith("?from=")`)
	b.click("#threat")
	b.until(`/^[A-F]$/.test(document.querySelector("#lines th").textContent) && !document.getElementById("bar").hidden`)
}

// A comment is kept while it is typed: a review draws the moves anew, and a step shows another move.
func TestACommentIsKeptWhileItIsTyped(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open("/?moves=FfEeDd")
	b.click("#annotate summary")
	b.click("#review")
	b.run(chromedp.SendKeys("#said", "slow "))
	b.until(`/The game is reviewed/.test(document.getElementById("status").textContent)`)
	b.run(chromedp.SendKeys("#said", "but good"))
	b.until(`document.getElementById("said").value === "slow but good" && /tree=FfEeDd%7Bslow\+but\+good%7D/.test(location.search)`)
	b.click("#moves li:nth-child(1) button")
	b.until(`document.getElementById("annotated").textContent === "Annotate 1. F" && document.getElementById("said").value === ""`)
	b.until(`/with a comment/.test(document.querySelector("#moves li:last-child button").ariaLabel)`)
}

// Glyphs and comments of a record are shown, added, removed and saved.
func TestMovesAreAnnotated(t *testing.T) {
	inBothSizes(t, func(t *testing.T, b tab) {
		b.open("/?moves=FfEe")
		b.set("text", "1. F! f $6 {so} 2. E e *")
		b.click("#load")
		b.until(`document.querySelector("#moves li:nth-child(1)").innerText.includes("F!") && document.querySelector("#moves li:nth-child(2) button").ariaLabel === "1... f?!, North, annotated as dubious, with a comment"`)
		b.click("#annotate summary")
		b.until(`document.getElementById("annotated").textContent === "Annotate 2... e"`)
		b.click(`#glyphs button[aria-label="very bad ??"]`)
		b.set("said", "gives {two} away")
		b.click("#moves li:nth-child(1) button")
		b.until(`document.querySelector("#glyphs [aria-pressed=true]").textContent === "!"`)
		b.click("#glyphs [aria-pressed=true]")
		b.until(`location.search === "?moves=FfEe&tree=Ff%246%7Bso%7DEe%244%7Bgives+%28two%29+away%7D"`)
		b.shot("annotated-" + b.name)
		b.run(chromedp.Reload())
		b.until(`document.documentElement.dataset.ready === "true" && document.getElementById("comment").textContent === "gives (two) away"`)
		b.do(`fetch(document.getElementById("download").href).then((r) => r.text()).then((t) => { globalThis.saved = t; })`)
		b.until(`globalThis.saved?.includes("1. F f $6 {so} 2. E e $4 {gives (two) away} *")`)
	})
}
