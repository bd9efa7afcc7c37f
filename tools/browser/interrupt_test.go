package browser

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// Stepping, undo and resigning during the animation of a move lose no move, and the clock continues.
func TestAStepDuringASowing(t *testing.T) {
	status := `document.getElementById("status").textContent`
	left := func(id string) string {
		return fmt.Sprintf(`document.querySelector("#%s .clock").textContent.split(":").reduce((m, s) => 60 * m + Number(s), 0)`, id)
	}
	key := func(k string) string {
		return fmt.Sprintf(`document.getElementById("board").dispatchEvent(new KeyboardEvent("keydown", { key: %q, bubbles: true }))`, k)
	}
	for name, c := range map[string]struct{ act, then, mover string }{
		"back":    {key("ArrowLeft"), `location.search === "?moves=FfC" && /After 1... f/.test(` + status + `)`, "store-top"},
		"on":      {key("ArrowRight"), `location.search === "?moves=FfC" && /South plays C/.test(` + status + `)`, "store-top"},
		"pressed": {key("e"), `location.search === "?moves=FfC" && /South plays C/.test(` + status + `)`, "store-top"},
		"undo":    {key("u"), `location.search === "?moves=Ff" && /Taken back/.test(` + status + `)`, "store-bottom"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newTab(t, 1280, false)
			b.start("", "180+2")
			animate := chromedp.Evaluate(`document.getElementById("animate").click(); 0`, nil)
			b.run(animate)
			b.click(`.house[data-house="5"]`)
			b.until(`location.search === "?moves=F"`)
			b.click(`.house[data-house="11"]`)
			b.until(`location.search === "?moves=Ff"`)
			b.run(animate, chromedp.Evaluate(`document.querySelector('.house[data-house="2"]').click(); 0`, nil))
			b.until(`document.querySelector(".flying")`)
			b.run(chromedp.Evaluate(c.act+"; 0", nil))
			b.until(c.then)
			running := left(c.mover)
			was := b.number(running)
			b.within(10*time.Second, fmt.Sprintf(`%s < %g`, running, was))
		})
	}
}

// After a step back while the engine thinks, the engine still moves, and the board keeps showing the
// earlier position.
func TestAStepWhileTheEngineThinks(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open("/")
	b.set("level", "medium")
	b.click("#new button[type=submit]")
	b.until(`location.search === "" && document.querySelector(".house.playable")`)
	b.do(`const ask = fetch; globalThis.fetch = async (...a) => {
		if (String(a[0]).startsWith("/api/answer")) await new Promise((done) => { globalThis.letGo = done; });
		return ask(...a);
	}`)
	b.click(`.house[data-house="5"]`)
	b.until(`location.search === "?moves=F" && globalThis.letGo`)
	b.click("#first")
	b.until(`/Before the first move/.test(document.getElementById("status").textContent)`)
	b.do(`letGo()`)
	b.until(`/^.moves=F[a-f]$/.test(location.search)`)
	b.until(`/Before the first move/.test(document.getElementById("status").textContent)`)
	if seeds := b.text(`document.querySelector('.house[data-house="5"]').dataset.seeds`); seeds != "4" {
		t.Errorf("F shows %s seeds, expected the 4 of the start", seeds)
	}
}

// A resignation while the engine thinks can be taken back: the engine moves then, and the clock runs.
func TestUndoOfAResignationLetsTheEngineMove(t *testing.T) {
	b := newTab(t, 1280, false)
	b.start("medium", "180+2")
	b.do(`const ask = fetch; globalThis.fetch = (...a) => (String(a[0]).startsWith("/api/answer") && !globalThis.free ? new Promise(() => {}) : ask(...a)); 0`)
	b.click(`.house[data-house="5"]`)
	b.until(`location.search === "?moves=F" && /The engine thinks/.test(document.getElementById("status").textContent)`)
	b.click("#resign")
	b.until(`/South resigns/.test(document.getElementById("status").textContent)`)
	b.do(`globalThis.free = true; 0`)
	b.click("#undo")
	b.until(`/^.moves=F[a-f]$/.test(location.search) && /Your move/.test(document.getElementById("status").textContent)`)
}

// Play on from here gives the time to the side to move there.
func TestPlayOnGivesTheTimeToTheSideToMove(t *testing.T) {
	b := newTab(t, 1280, false)
	b.start("", "180+2")
	b.click(`.house[data-house="5"]`)
	b.until(`location.search === "?moves=F"`)
	b.click(`.house[data-house="11"]`)
	b.until(`location.search === "?moves=Ff"`)
	b.click("#back")
	b.click("#play-on")
	b.until(`location.search.startsWith("?moves=F&") || location.search === "?moves=F"`)
	clock := `document.querySelector("#store-top .clock").textContent`
	was := b.text(clock)
	b.within(10*time.Second, fmt.Sprintf(`%s !== %q`, clock, was))
}

// A text that is not loaded leaves the game against the engine as it is.
func TestAWrongLinkKeepsTheGame(t *testing.T) {
	b := newTab(t, 1280, false)
	b.start("beginner", "180+2")
	for _, text := range []string{"?from=4-4-4", "http://localhost:8080/runs?name=x"} {
		b.set("text", text)
		b.click("#load")
		b.until(`document.getElementById("fault").textContent !== "" || document.getElementById("shared").textContent !== ""`)
		if shared := b.text(`document.getElementById("shared").textContent`); shared == "Loaded." {
			t.Errorf("%s is loaded", text)
		}
	}
	b.click(`.house[data-house="5"]`)
	b.until(`/^.moves=F[a-f]$/.test(location.search) && document.querySelector("#store-top .clock") && /Your move/.test(document.getElementById("status").textContent)`)
}

// A review that is refused, interrupted or malformed shows an error, and can be repeated. Without a
// connection it waits, and continues by itself.
func TestAReviewThatFails(t *testing.T) {
	for name, answer := range map[string]string{
		"refused":     `new Response('{"error":"no review today"}', { status: 503 })`,
		"no JSON":     `new Response("<html>", { status: 502 })`,
		"broken off":  `new Response("event: progress\ndata: {\"done\":1,\"total\":4}\n\n")`,
		"unreadable":  `new Response("event: done\ndata: {{{\n\n")`,
		"nothing":     `new Response("event: done\ndata: null\n\n")`,
		"other moves": `new Response("event: done\ndata: [{},{}]\n\n")`,
		"failed":      `new Response("event: failed\ndata: {\"error\":\"no luck\"}\n\n")`,
		"gone":        `Promise.reject(new TypeError("no network"))`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newTab(t, 390, false)
			b.open("/?moves=FfEe")
			b.run(chromedp.Evaluate(`const ask = fetch; globalThis.fetch = (...a) => (String(a[0]).startsWith("/api/review") ? Promise.resolve(`+answer+`) : ask(...a)); 0`, nil))
			b.click("#review")
			if name == "gone" {
				b.until(`document.getElementById("offline")`)
				b.do(`globalThis.fetch = ask`)
				b.until(`document.querySelector("#graph svg") && !document.getElementById("offline")`)
				return
			}
			b.until(`/cannot be reviewed: ./.test(document.getElementById("fault").textContent) && !document.getElementById("fault").hidden`)
			b.until(`document.getElementById("graph").hidden && !document.getElementById("review").disabled`)
			b.do(`globalThis.fetch = ask`)
			b.click("#review")
			b.until(`document.querySelector("#graph svg") && document.getElementById("fault").hidden`)
		})
	}
}
