package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// controls is a script that lists what the Tab key reaches, in order.
const controls = `[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter((e) => e.tabIndex >= 0 && !e.disabled && e.checkVisibility({ visibilityProperty: true }) && !e.closest("dialog"))`

// ownFiles adds a long file of games and a second run to the served folder.
func ownFiles(t *testing.T) {
	t.Helper()
	long, second := filepath.Join(shared.dir, "long.ogn"), filepath.Join(shared.dir, "small-copy")
	t.Cleanup(func() {
		os.Remove(long)
		os.RemoveAll(second)
	})
	os.RemoveAll(second) // of a test that was killed
	if err := os.WriteFile(long, []byte(strings.Repeat("[South \"Anna\"]\n\n1. F f *\n\n", 500)), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(second, os.DirFS(filepath.Join(shared.dir, "small"))); err != nil {
		t.Fatal(err)
	}
}

// The Tab key leads from the first control of every page to the last, also while an analysis redraws
// its lines: no control keeps the focus, and none loses it.
func TestTabLeadsThroughEveryPage(t *testing.T) {
	pages := []struct{ name, path string }{
		{"board", "/?moves=FfEe"},
		{"analysis", "/?moves=FfEe&analyse"},
		{"lesson", "/rules"},
		{"book", "/book?name=small/book.bin&moves=F"},
		{"dataset", "/files?name=small/labels.parquet"},
		{"weights", "/files?name=small/weights.json"},
		{"games", "/files?name=small/match.ogn"},
		{"files", "/files"},
		{"long list of games", "/files?name=long.ogn&first=201"},
		{"datasets compared", "/files?name=small/labels.parquet&other=small/features.parquet"},
		{"runs", "/runs"},
		{"run", "/runs?name=small"},
		{"comparison", "/runs?compare=small&compare=small-copy"},
		{"unknown", "/nosuch"},
	}
	ownFiles(t)
	inBothSizes(t, func(t *testing.T, b tab) {
		for _, p := range pages {
			b.open(p.path)
			if p.name == "analysis" {
				b.click("#endless")
				b.until(`document.querySelectorAll("#lines tr").length === 3`)
			}
			b.do(`scrollTo(0, 0); document.activeElement.blur(); document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute("tabindex"); globalThis.before = null`)
			reached := 0
			for limit := int(b.number(controls+`.length`)) + 60; reached < limit; reached++ {
				b.run(chromedp.KeyEvent(kb.Tab))
				moved := b.text(`(() => {
					const from = globalThis.before, to = document.activeElement;
					if (to === document.body) return "the end";
					globalThis.before = to;
					return !from?.isConnected || from.compareDocumentPosition(to) & Node.DOCUMENT_POSITION_FOLLOWING ? "" : to.outerHTML.slice(0, 120);
				})()`)
				if moved == "the end" {
					break
				}
				if moved != "" {
					t.Fatalf("%s: after %d presses of Tab the focus goes back to %s", p.name, reached+1, moved)
				}
			}
			// Chromium also stops at a text that is wider than the page, so that keys can scroll it.
			if last := b.text(fmt.Sprintf(`(() => {
				const last = globalThis.before;
				const scrolls = last?.matches("pre") && last.scrollWidth > last.clientWidth;
				return scrolls || last === %s.at(-1) ? "" : last?.outerHTML.slice(0, 120) ?? "nothing";
			})()`, controls)); last != "" {
				t.Errorf("%s: Tab ends at %s after %d controls", p.name, last, reached)
			}
		}
	})
}

// Pressing a control that the page draws again leaves the focus on it, or on the one in its place.
func TestPressingKeepsTheFocus(t *testing.T) {
	b := newTab(t, 1280, false)
	focused := func(inside string) {
		t.Helper()
		b.until(fmt.Sprintf(`document.activeElement.closest(%q)`, inside))
	}
	b.open("/?moves=FfEe")
	b.do(`document.querySelector("#moves button").focus()`)
	b.run(chromedp.KeyEvent(kb.Enter))
	b.until(`/After 1. F/.test(` + status + `)`)
	focused(`#moves li:first-child`)
	b.click("#annotate summary")
	b.do(`document.querySelector("#glyphs button").focus()`)
	b.run(chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector("#glyphs [aria-pressed=true]")`)
	focused(`#glyphs [aria-pressed=true]`)
	b.open("/?moves=FfEeAbBcCdDa")
	b.click("#review")
	b.until(`!document.getElementById("learn").hidden`)
	b.click("#learn")
	b.until(`document.querySelector("#lesson button")`)
	b.do(`document.querySelector("#lesson button").focus()`)
	b.run(chromedp.KeyEvent(kb.Enter))
	b.until(`/was best/.test(document.getElementById("lesson").textContent)`)
	focused(`#lesson`)
	b.open("/rules")
	b.do(`document.querySelector("#examples button:nth-child(2)").focus()`)
	b.run(chromedp.KeyEvent(kb.Enter))
	focused(`#examples [aria-current]`)
}
