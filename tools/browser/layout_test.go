package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// On a phone the board stays in view while lines are read, on a desktop the analysis is next to it;
// the form of a new game is folded away while a game is on the board.
func TestTheAnalysisIsReadWithTheBoardInView(t *testing.T) {
	for _, width := range widths {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			b := newTab(t, width, false)
			b.open("/?moves=FfEe&analyse")
			b.until(`document.querySelectorAll("#lines tr").length === 3`)
			b.run(chromedp.Evaluate(`document.getElementById("lines").scrollIntoView({ block: "end" }); 0`, nil))
			box := func(id, side string) float64 {
				return b.number(fmt.Sprintf(`document.getElementById(%q).getBoundingClientRect().%s`, id, side))
			}
			if top, bottom := box("board", "top"), box("board", "bottom"); top < 0 || bottom > 500 {
				t.Errorf("the board is from %g to %g while lines are read", top, bottom)
			}
			if bottom := box("lines", "bottom"); width < 500 && bottom < box("board", "bottom") || bottom > 905 {
				t.Errorf("the lines end at %g, the board ends at %g", bottom, box("board", "bottom"))
			}
			if b.text(`document.getElementById("settings").open`) != "false" || box("settings", "top") < box("lines", "bottom") {
				t.Error("the settings are open, or before the lines")
			}
			if wide := box("analysis", "width"); width == 1280 && (wide < 0.33*1280 || box("analysis", "left") < box("board", "right")) {
				t.Errorf("the analysis is %g wide", wide)
			}
		})
	}
}

// The level comes from a first question, which is asked once; the settings fold when a game begins.
func TestAFirstQuestionChoosesTheLevel(t *testing.T) {
	for _, width := range widths {
		for _, dark := range []bool{false, true} {
			t.Run(fmt.Sprint(width, dark), func(t *testing.T) {
				b := newTab(t, width, dark)
				b.open("/")
				b.until(`!document.getElementById("welcome").hidden && document.getElementById("settings").open && document.getElementById("level").value === ""`)
				b.shot(fmt.Sprintf("welcome-%d-%s", width, map[bool]string{false: "light", true: "dark"}[dark]))
				b.click(`#welcome [data-level="easy"]`)
				b.until(`document.getElementById("welcome").hidden && document.getElementById("level").value === "easy" && /You play South against easy/.test(` + status + `)`)
				b.open("/")
				b.until(`document.getElementById("welcome").hidden && document.getElementById("level").value === "easy"`)
				b.click(`.house[data-house="5"]`)
				b.until(`!document.getElementById("settings").open && /^.moves=F[a-f]$/.test(location.search)`)
			})
		}
	}
}

// ? lists the keys; while the list is open no other key does anything.
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
