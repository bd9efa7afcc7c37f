package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// On a phone the board stays in view while lines are read; on a desktop the analysis is next to it. The
// form for a new game is closed during a game.
func TestTheAnalysisIsReadWithTheBoardInView(t *testing.T) {
	inBothSizes(t, func(t *testing.T, b tab) {
		b.open("/?moves=FfEe&analyse")
		b.until(`document.querySelectorAll("#lines tr").length === 3`)
		b.do(`document.getElementById("lines").scrollIntoView({ block: "end" })`)
		box := func(id, side string) float64 {
			return b.number(fmt.Sprintf(`document.getElementById(%q).getBoundingClientRect().%s`, id, side))
		}
		if top, bottom := box("board", "top"), box("board", "bottom"); top < 0 || bottom > 500 {
			t.Errorf("the board is from %g to %g while lines are read", top, bottom)
		}
		if bottom := box("lines", "bottom"); b.width < 500 && bottom < box("board", "bottom") || bottom > 905 {
			t.Errorf("the lines end at %g, the board ends at %g", bottom, box("board", "bottom"))
		}
		if b.text(`document.getElementById("settings").open`) != "false" || box("settings", "top") < box("lines", "bottom") {
			t.Error("the settings are open, or before the lines")
		}
		if wide := box("analysis", "width"); b.width == 1280 && (wide < 0.33*1280 || box("analysis", "left") < box("board", "right")) {
			t.Errorf("the analysis is %g wide", wide)
		}
	})
}

// A first question, asked once, chooses the level; the settings close when a game starts.
func TestAFirstQuestionChoosesTheLevel(t *testing.T) {
	inEveryWindow(t, func(t *testing.T, b tab) {
		b.open("/")
		b.until(`!document.getElementById("welcome").hidden && document.getElementById("settings").open && document.getElementById("level").value === ""`)
		b.shot("welcome-" + b.name)
		b.click(`#welcome [data-level="easy"]`)
		b.until(`document.getElementById("welcome").hidden && document.getElementById("level").value === "easy" && /You play South against easy/.test(` + status + `)`)
		b.open("/")
		b.until(`document.getElementById("welcome").hidden && document.getElementById("level").value === "easy"`)
		b.click(`.house[data-house="5"]`)
		b.until(`!document.getElementById("settings").open && /^.moves=F[a-f]$/.test(location.search)`)
	})
}

// ? lists the keys. While the list is open, other keys have no effect.
func TestAKeyListsTheKeys(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open("/?moves=FfEe")
	b.key("?")
	b.until(`document.getElementById("keys-list").open`)
	b.key("a")
	b.shot("keys-1280-light")
	b.run(chromedp.KeyEvent("\x1b"))
	b.until(`!document.getElementById("keys-list").open && location.search === "?moves=FfEe"`)
	b.click("#settings summary")
	b.click("#show-keys")
	b.click("#keys-list button")
	b.until(`!document.getElementById("keys-list").open`)
}

// On a phone every control is large enough for a finger, 44 pixels each way, except links within a sentence.
func TestControlsAreLargeEnoughForFingers(t *testing.T) {
	ownFiles(t)
	b := newTab(t, 390, false)
	for _, path := range []string{"/?moves=FfEe&tree=FfE(A(B)a)e&analyse", "/rules", "/book", "/files", "/files?name=long.ogn&first=201", "/files?name=small/labels.parquet", "/files?name=default", "/runs?name=small", "/runs?compare=small&compare=small-copy", "/nosuch"} {
		b.open(path)
		if strings.Contains(path, "analyse") {
			b.until(`document.querySelectorAll("#lines tr").length === 3`)
			b.do(`for (const d of document.querySelectorAll("details")) d.open = true`)
		}
		b.fitsFingers(path)
	}
}

// fitsFingers fails if a control is smaller than 44 pixels.
func (b tab) fitsFingers(path string) {
	b.Helper()
	small := b.text(`[...document.querySelectorAll("a[href], button, input, select, textarea, summary")].filter((e) => {
		const place = (e.type === "checkbox" || e.type === "file") ? e.closest("label") : e, r = place.getBoundingClientRect();
		const inText = e.matches("a") && getComputedStyle(e).display === "inline" && e.parentElement.innerText.trim() !== e.innerText.trim();
		return e.type !== "hidden" && !e.matches(".skip") && !inText && e.checkVisibility({ visibilityProperty: true }) && (r.width < 43.5 || r.height < 43.5);
	}).map((e) => { const r = e.getBoundingClientRect(); return e.outerHTML.slice(0, 90) + " " + Math.round(r.width) + "×" + Math.round(r.height); }).slice(0, 8).join("\n")`)
	if small != "" {
		b.Errorf("%s:\n%s", path, small)
	}
}
