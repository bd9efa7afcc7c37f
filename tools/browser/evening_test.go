package browser

import (
	"fmt"
	"testing"
	"time"
)

// An evening: a game, resigned; its review; a lesson from a mistake; and the report of a run.
func TestAnEvening(t *testing.T) {
	inBothSizes(t, func(t *testing.T, b tab) {
		step := 0
		seen := func(what string) {
			step++
			b.shot(fmt.Sprintf("evening-%d-%d-%s", b.width, step, what))
		}
		b.open("/")
		seen("welcome")
		b.click(`#welcome button[data-level="beginner"]`)
		b.click("#settings summary") // to see the first move
		b.until(`document.querySelectorAll(".house.playable").length > 0`)
		for n := range 4 {
			b.within(time.Minute, fmt.Sprintf(`document.querySelectorAll(".moves button, .moves a").length >= %d && document.querySelector(".house.playable")`, 2*n))
			b.click(".house.playable")
		}
		b.within(time.Minute, `document.querySelectorAll(".moves button, .moves a").length >= 8 && document.querySelector(".house.playable")`)
		seen("game")
		b.click("#resign")
		b.click("#review")
		b.within(2*time.Minute, `document.querySelector("#graph svg") && !document.getElementById("summary").hidden`)
		seen("review")
		if b.text(`document.getElementById("learn").hidden`) == "false" {
			b.click("#learn")
			b.until(`!document.getElementById("lesson").hidden`)
			seen("learn")
		}
		b.open("/runs?name=small")
		seen("run")
		b.until(`document.querySelectorAll("figure svg").length > 8 && /What the weights say/.test(document.body.textContent)`)
		seen("report")
	})
}
