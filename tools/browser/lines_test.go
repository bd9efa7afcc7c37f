package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

const (
	status = `document.getElementById("status").textContent`
	// atOnce turns the animation off.
	atOnce = `document.getElementById("animate").checked && document.getElementById("animate").click(); 0`
)

// ply is the selector of a move's button.
func ply(name string) string { return fmt.Sprintf(`#moves button[aria-label^=%q]`, name) }

// key presses a key on the board.
func (b tab) key(name string) {
	b.Helper()
	b.do(fmt.Sprintf(`document.getElementById("board").dispatchEvent(new KeyboardEvent("keydown", { key: %q, bubbles: true })); 0`, name))
}

// A move in an earlier position starts a variation, which is in the list, in the address and in the
// saved file, and can be made the main line and deleted.
func TestVariations(t *testing.T) {
	inEveryWindow(t, func(t *testing.T, b tab) {
		b.open("/?moves=FfEe")
		b.do(atOnce)
		b.click(ply("1... f,"))
		b.until(`/After 1... f, of 2 moves/.test(` + status + `) && document.querySelectorAll(".house.playable").length === 5`)
		b.click(`.house[data-house="0"]`)
		b.until(`location.search === "?moves=FfA&tree=FfE%28A%29e"`)
		b.click(`.house[data-house="6"]`)
		b.until(`location.search === "?moves=FfAa&tree=FfE%28Aa%29e"`)
		b.click("#back")
		b.until(`/After 2. A/.test(` + status + `)`)
		b.click(`.house[data-house="7"]`)
		b.until(`location.search.endsWith("tree=FfE%28Aa%28b%29%29e")`)
		if n := b.number(`document.querySelectorAll("#moves .branch").length`); n != 2 {
			t.Errorf("%g variations are listed, expected 2", n)
		}
		b.shot("lines-" + b.name)
		b.run(chromedp.Reload())
		b.until(`document.documentElement.dataset.ready === "true" && document.querySelectorAll("#moves .branch").length === 2`)
		b.do(`fetch(document.getElementById("download").href).then((r) => r.text()).then((t) => { globalThis.saved = t; })`)
		b.until(`globalThis.saved`)
		record := b.text("saved")
		if !strings.Contains(record, "1. F f 2. E (2. A a (2... b)) 2... e *") {
			t.Errorf("saved as %s", record)
		}
		b.click(ply("2... b"))
		b.click("#promote")
		b.until(`/tree=FfA%28Ee%29b%28a%29/.test(location.search)`)
		b.click(ply("2. E"))
		b.until(`!document.getElementById("cut").hidden && location.search.startsWith("?moves=FfEe&")`)
		b.click("#cut")
		b.until(`/tree=FfAb%28a%29$/.test(location.search)`)
		b.set("text", record)
		b.click("#load")
		b.until(`location.search === "?moves=FfEe&tree=FfE%28Aa%28b%29%29e"`)
	})
}

// The engine continues from any position of a loaded game, and arrow keys switch variations.
func TestPlayOnFromAnyPosition(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open("/?moves=FfEe")
	b.do(atOnce)
	b.set("level", "beginner") // the person is South
	b.click(ply("1. F"))
	b.until(`!document.getElementById("play-on").hidden && /After 1. F/.test(` + status + `)`)
	b.click("#play-on")
	b.until(`/^.moves=F[a-f](&|$)/.test(location.search) && /Your move/.test(` + status + `)`)
	b.open("/?moves=FfEe&tree=FfE(A)(B)e")
	b.click(ply("2. E"))
	b.until(`/After 2. E/.test(` + status + `)`)
	b.key("ArrowDown")
	b.until(`location.search.startsWith("?moves=FfA&")`)
	b.key("ArrowDown")
	b.until(`location.search.startsWith("?moves=FfB&")`)
	b.key("ArrowUp")
	b.until(`location.search.startsWith("?moves=FfA&")`)
}

// Tags and comments of a record are shown, survive a reload, and are saved.
func TestTagsAndCommentsAreKept(t *testing.T) {
	const record = `[Event "Club \"A\""]
[South "Anna"]
[North "Béla"]
[Result "0-1"]
[Rules "abapa"]

{opening} 1. F {why not} f 2. E (2. A {slow} a (2... b {better})) 2... e {South
resigns} 0-1`
	said := `document.getElementById("comment").textContent`
	saved := func(b tab) string {
		b.do(`globalThis.saved = ""; fetch(document.getElementById("download").href).then((r) => r.text()).then((t) => { globalThis.saved = t.trim(); })`)
		b.until(`globalThis.saved`)
		return b.text("saved")
	}
	inEveryWindow(t, func(t *testing.T, b tab) {
		b.open("/")
		b.set("text", record)
		b.click("#load")
		b.until(said + ` === "South resigns" && /South: Anna · North: Béla · Result: 0-1/.test(document.getElementById("record").textContent)`)
		b.run(chromedp.Reload())
		b.until(`document.documentElement.dataset.ready === "true" && ` + said + ` === "South resigns"`)
		if got := saved(b); got != record {
			t.Errorf("saved as\n%s", got)
		}
		b.click("#first")
		b.until(said + ` === "opening"`)
		b.click(ply("2... b,"))
		b.until(said + ` === "better"`)
		b.shot("comments-" + b.name)
		b.do(atOnce)
		b.click(ply("2... e,"))
		b.until(`!/Result/.test(location.search) || /North plays e/.test(` + status + `)`)
		b.click(`.house[data-house="0"]`) // the game continues, so the result of the record no longer applies
		b.until(`location.search.startsWith("?moves=FfEeA&") && !document.getElementById("record").textContent.includes("Result")`)
		if got := saved(b); !strings.Contains(got, "(2. A {slow} a (2... b {better})) 2... e {South\nresigns} 3. A *") {
			t.Errorf("saved as\n%s", got)
		}
	})
}
