package browser

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// countTones makes a page count its tones.
const countTones = `globalThis.tones = 0; { const start = OscillatorNode.prototype.start; OscillatorNode.prototype.start = function (...a) { globalThis.tones++; return start.apply(this, a); }; } 0`

// Every sown seed makes a sound unless sound is off, which a reload remembers.
func TestSound(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open("/")
	b.set("level", "")
	b.click("#new button[type=submit]")
	b.until(`location.search === "" && document.querySelector(".house.playable")`)
	b.do(countTones)
	b.click(`.house[data-house="2"]`)
	b.until(`location.search.includes("moves=C")`)
	if n := b.number("tones"); n != 4 {
		t.Errorf("%g tones for four seeds", n)
	}
	b.do(`document.getElementById("settings").open = true`)
	b.click("#sound")
	b.click(`.house[data-house="6"]`)
	b.until(`location.search.includes("moves=Ca")`)
	if n := b.number("tones"); n != 4 {
		t.Errorf("%g tones where the sound is off, expected no more than before", n)
	}
	b.open("/")
	if on := b.text(`document.getElementById("sound").checked`); on != "false" {
		t.Error("a new visit has forgotten that the sound is off")
	}
}

// With reduced motion, sound is off until it is turned on.
func TestNoSoundWhereMotionIsReduced(t *testing.T) {
	b := newTab(t, 1280, false)
	b.run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}))
	b.open("/?moves=F")
	b.do(countTones)
	b.click(`.house[data-house="6"]`)
	b.until(`location.search.includes("moves=Fa")`)
	if n, on := b.number("tones"), b.text(`document.getElementById("sound").checked`); n != 0 || on != "false" {
		t.Errorf("%g tones, the sound is on: %s", n, on)
	}
	b.do(`document.getElementById("settings").open = true`)
	b.click("#sound")
	b.click(`.house[data-house="1"]`)
	b.until(`location.search.includes("moves=FaB")`)
	if n := b.number("tones"); n != 1 {
		t.Errorf("%g tones for a move that is not sown seed by seed, expected one", n)
	}
}
