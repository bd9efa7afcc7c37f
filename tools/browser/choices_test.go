package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

const value = `document.getElementById(%q).value`

// A level applies immediately, even in a loaded game; rules and clock apply to the next game, and the
// page says so; a reload keeps the opponent.
func TestChoicesApplyNowOrToTheNextGame(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open("/?moves=FfEe")
	if got := b.text(fmt.Sprintf(value, "level")); got != "" {
		t.Errorf("a loaded game has the opponent %q, expected nobody", got)
	}
	b.set("person", "1")
	b.set("level", "beginner")
	b.until(`/^.moves=FfEe[A-F]$/.test(location.search) && /Your move/.test(document.getElementById("status").textContent)`)
	b.set("rules", "awari")
	b.set("clock", "300+0")
	b.until(`/next game: awari rules, the clock. Press Start/.test(document.getElementById("waits").textContent)`)
	b.shot("waits-1280-light")
	at := b.text("location.search")
	b.run(chromedp.Reload())
	b.until(`document.documentElement.dataset.ready === "true"`)
	if level, person, now := b.text(fmt.Sprintf(value, "level")), b.text(fmt.Sprintf(value, "person")), b.text("location.search"); level != "beginner" || person != "1" || now != at {
		t.Errorf("after a reload the person plays %s against %q at %s: expected North against a beginner at %s", person, level, now, at)
	}
	b.until(`document.querySelector(".house.playable")`)
	b.set("level", "hard") // while it thinks about nothing: only its name changes
	b.until(`/against hard/.test(document.getElementById("status").textContent) && /hard/.test(document.getElementById("store-bottom").textContent + document.getElementById("store-top").textContent)`)
}

// A link in the field loads its game, under its rules.
func TestALinkIsLoaded(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open("/")
	b.set("text", shared.address+"/?rules=awari&moves=FfE")
	b.click("#load")
	b.until(`location.search.includes("rules=awari") && document.querySelectorAll(".moves li").length === 3`)
	if rules, named := b.text(fmt.Sprintf(value, "rules")), b.text(`document.getElementById("in-force").textContent`); rules != "awari" || named != "awari rules" {
		t.Errorf("the form has %s, the game is said to be under %q", rules, named)
	}
	if !b.hidden("waits") {
		t.Error("the loaded rules wait for Start")
	}
}

func (b tab) hidden(id string) bool {
	b.Helper()
	return b.text(fmt.Sprintf(`document.getElementById(%q).hidden`, id)) == "true"
}

// The five positions of the lesson can be played with the mouse and with keys; a wrong move is explained
// and taken back.
func TestTheLessonIsPlayed(t *testing.T) {
	inEveryWindow(t, func(t *testing.T, b tab) {
		b.open("/rules")
		says := func(text string) {
			b.until(fmt.Sprintf(`document.getElementById("status").textContent.includes(%q)`, text))
		}
		b.click(`tr:last-child td:nth-child(1) .house`) // A
		says("All four seeds stay on your side")
		b.until(`document.querySelector("tr:last-child td:nth-child(1) b").textContent === "4"`)
		for i, move := range []string{"C", "e", "F", "f", "F"} {
			b.until(fmt.Sprintf(`document.getElementById("step").textContent.startsWith("%d of 5") && document.getElementById("onward").hidden`, i+1))
			if i == 2 {
				b.shot("lesson-task-" + b.name)
			}
			if move >= "a" {
				b.run(chromedp.KeyEvent(move))
			} else {
				b.click(fmt.Sprintf("tr:last-child td:nth-child(%d) .house", move[0]-'A'+1))
			}
			says("Right: ")
			if i < 4 {
				b.click("#next")
			}
		}
		b.until(`document.querySelectorAll("#examples button").length === 5 && [...document.querySelectorAll("#examples button")].every((e) => e.textContent.includes("✓")) && document.activeElement.id === "finish"`)
		b.shot("lesson-end-" + b.name)
	})
}

func TestAnUnknownPage(t *testing.T) {
	b := newTab(t, 390, false)
	b.run(chromedp.Navigate(shared.address + "/nosuch"))
	b.until(`/no such page/.test(document.querySelector("h1").textContent) && document.querySelector("nav a")`)
	b.shot("nosuch-390-light")
}

// The descriptions of opponents are not cut off, and what to expect of one is shown below.
func TestNamesOfOpponentsAreNotCut(t *testing.T) {
	inBothSizes(t, func(t *testing.T, b tab) {
		b.open("/")
		cut := b.text(`(() => {
			const list = document.getElementById("level"), c = document.createElement("canvas").getContext("2d");
			c.font = getComputedStyle(list).font;
			return [...list.options].map((o) => o.text).filter((t) => c.measureText(t).width > list.clientWidth - 40).join(", ");
		})()`)
		if cut != "" {
			t.Errorf("no room for %s", cut)
		}
		b.set("level", "expert")
		b.until(`/against hard/.test(document.getElementById("level-like").textContent)`)
	})
}

// Pages show seeds. They mention points only where files have them.
func TestSeedsAreTheUnitOfEveryPage(t *testing.T) {
	for path, shown := range map[string]string{
		"/?moves=FfEe&analyse=1":           `document.querySelector("#known .chip")`,
		"/book":                            `/coverage by ply/i.test(document.querySelector(".doc").textContent)`,
		"/files?name=default":              `/seeds for the side to move/.test(document.querySelector("main").textContent)`,
		"/files?name=small/labels.parquet": `/columns/i.test(document.querySelector("main").textContent)`,
		"/runs?name=small":                 `/correlation R/.test(document.querySelector("main").textContent)`,
	} {
		t.Run(path, func(t *testing.T) {
			b := newTab(t, 1280, false)
			b.open(path)
			b.until(shown)
			b.do(`for (const list of document.querySelectorAll("select")) list.hidden = true`) // weights of ours are called points
			if named := b.text(`(document.querySelector("main").innerText.match(/.{0,60}\bpoints\b.{0,60}/g) ?? []).filter((line) => !/% of the points|the file has points|a label in points, 1000 for a won game/.test(line)).join("; ")`); named != "" {
				t.Errorf("the page speaks of points: %s", named)
			}
			if !b.hidden("fault") {
				t.Error(b.text(`document.getElementById("fault").textContent`))
			}
		})
	}
}
