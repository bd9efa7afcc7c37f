package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

const (
	status = `document.getElementById("status").textContent`
	// atOnce turns the sowing off.
	atOnce = `document.getElementById("animate").checked && document.getElementById("animate").click(); 0`
)

// ply finds the button of a move among all lines.
func ply(name string) string { return fmt.Sprintf(`#moves button[aria-label^=%q]`, name) }

// key has the board hear a key.
func (b tab) key(name string) {
	b.Helper()
	b.run(chromedp.Evaluate(fmt.Sprintf(`document.getElementById("board").dispatchEvent(new KeyboardEvent("keydown", { key: %q, bubbles: true })); 0`, name), nil))
}

// A move in an earlier position begins a line. It is shown next to the game, kept by the
// address, saved and loaded, made the main line, and deleted.
func TestVariations(t *testing.T) {
	for _, width := range widths {
		for _, dark := range []bool{false, true} {
			t.Run(fmt.Sprint(width, dark), func(t *testing.T) {
				b := newTab(t, width, dark)
				b.open("/?moves=FfEe")
				b.run(chromedp.Evaluate(atOnce, nil))
				b.click(ply("2 f,"))
				b.until(`/Move 2 of 4/.test(` + status + `) && document.querySelectorAll(".house.playable").length === 5`)
				b.click(`.house[data-house="0"]`)
				b.until(`location.search === "?moves=FfA&tree=FfE%28A%29e"`)
				b.click(`.house[data-house="6"]`)
				b.until(`location.search === "?moves=FfAa&tree=FfE%28Aa%29e"`)
				b.click("#back")
				b.until(`/Move 3 of 4/.test(` + status + `)`)
				b.click(`.house[data-house="7"]`)
				b.until(`location.search.endsWith("tree=FfE%28Aa%28b%29%29e")`)
				if n := b.number(`document.querySelectorAll("#moves .branch").length`); n != 2 {
					t.Errorf("%g variations are listed, expected 2", n)
				}
				b.shot(fmt.Sprintf("lines-%d-%s", width, map[bool]string{false: "light", true: "dark"}[dark]))
				b.run(chromedp.Reload())
				b.until(`document.documentElement.dataset.ready === "true" && document.querySelectorAll("#moves .branch").length === 2`)
				b.run(chromedp.Evaluate(`fetch(document.getElementById("download").href).then((r) => r.text()).then((t) => { globalThis.saved = t; }); 0`, nil))
				b.until(`globalThis.saved`)
				record := b.text("saved")
				if !strings.Contains(record, "1. F f 2. E (2. A a (2... b)) 2... e *") {
					t.Errorf("saved as %s", record)
				}
				b.click(ply("4 b"))
				b.click("#promote")
				b.until(`/tree=FfA%28Ee%29b%28a%29/.test(location.search)`)
				b.click(ply("3 E"))
				b.until(`!document.getElementById("cut").hidden && location.search.startsWith("?moves=FfEe&")`)
				b.click("#cut")
				b.until(`/tree=FfAb%28a%29$/.test(location.search)`)
				b.set("text", record)
				b.click("#load")
				b.until(`location.search === "?moves=FfEe&tree=FfE%28Aa%28b%29%29e"`)
			})
		}
	}
}

// The engine plays on from any position of a loaded game, and arrows change the line.
func TestPlayOnFromAnyPosition(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open("/?moves=FfEe")
	b.run(chromedp.Evaluate(atOnce, nil))
	b.set("level", "beginner") // the person is South
	b.click(ply("1 F"))
	b.until(`!document.getElementById("play-on").hidden && /Move 1 of 4/.test(` + status + `)`)
	b.click("#play-on")
	b.until(`/^.moves=F[a-f](&|$)/.test(location.search) && /Your move/.test(` + status + `)`)
	b.open("/?moves=FfEe&tree=FfE(A)(B)e")
	b.click(ply("3 E"))
	b.until(`/Move 3 of 4/.test(` + status + `)`)
	b.key("ArrowDown")
	b.until(`location.search.startsWith("?moves=FfA&")`)
	b.key("ArrowDown")
	b.until(`location.search.startsWith("?moves=FfB&")`)
	b.key("ArrowUp")
	b.until(`location.search.startsWith("?moves=FfA&")`)
}

// What a record says next to its moves is shown, kept by a reload, and saved again.
func TestWhatARecordSaysIsKept(t *testing.T) {
	const record = `[Event "Club \"A\""]
[South "Anna"]
[North "Béla"]
[Result "0-1"]
[Rules "abapa"]

{opening} 1. F {why not} f 2. E (2. A {slow} a (2... b {better})) 2... e {South
resigns} 0-1`
	said := `document.getElementById("comment").textContent`
	saved := func(b tab) string {
		b.run(chromedp.Evaluate(`globalThis.saved = ""; fetch(document.getElementById("download").href).then((r) => r.text()).then((t) => { globalThis.saved = t.trim(); }); 0`, nil))
		b.until(`globalThis.saved`)
		return b.text("saved")
	}
	for _, width := range widths {
		for _, dark := range []bool{false, true} {
			t.Run(fmt.Sprint(width, dark), func(t *testing.T) {
				b := newTab(t, width, dark)
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
				b.click(ply("4 b,"))
				b.until(said + ` === "better"`)
				b.shot(fmt.Sprintf("comments-%d-%s", width, map[bool]string{false: "light", true: "dark"}[dark]))
				b.run(chromedp.Evaluate(atOnce, nil))
				b.click(ply("4 e,"))
				b.until(`!/Result/.test(location.search) || /Move 4 of 4|North plays e/.test(` + status + `)`)
				b.click(`.house[data-house="0"]`) // the game goes on: the record's result is not its own
				b.until(`location.search.startsWith("?moves=FfEeA&") && !document.getElementById("record").textContent.includes("Result")`)
				if got := saved(b); !strings.Contains(got, "(2. A {slow} a (2... b {better})) 2... e {South\nresigns} 3. A *") {
					t.Errorf("saved as\n%s", got)
				}
			})
		}
	}
}
