package browser

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// looks are the themes, and the light theme as seen with red-green blindness.
var looks = []struct {
	name      string
	dark      bool
	deficient emulation.SetEmulatedVisionDeficiencyType
}{
	{"light", false, emulation.SetEmulatedVisionDeficiencyTypeNone},
	{"dark", true, emulation.SetEmulatedVisionDeficiencyTypeNone},
	{"deuteranopia", false, emulation.SetEmulatedVisionDeficiencyTypeDeuteranopia},
}

// Every page fits its window and has no odd or truncated text, in each look.
func TestEveryPage(t *testing.T) {
	pages := []struct{ name, path, seen string }{
		{"board", "/?moves=FfEeAb", `document.querySelectorAll(".house .name").length === 12`},
		{"lesson", "/rules", ""},
		{"book", "/book?name=small/book.bin&moves=F", `document.querySelectorAll("#section-2 tbody tr").length === 6`},
		{"dataset", "/files?name=small/labels.parquet", ""},
		{"weights", "/files?name=small/weights.json", ""},
		{"games", "/files?name=small/match.ogn", ""},
		{"file of a book", "/files?name=small/book.bin", ""},
		{"files", "/files", ""},
		{"run", "/runs?name=small", ""},
	}
	for _, width := range widths {
		for _, look := range looks {
			t.Run(fmt.Sprint(width, look.name), func(t *testing.T) {
				b := newTab(t, width, look.dark)
				b.run(emulation.SetEmulatedVisionDeficiency(look.deficient))
				for _, p := range pages {
					b.open(p.path)
					if p.seen != "" {
						b.until(p.seen)
					}
					b.cutsNothing(p.name)
					b.shot(fmt.Sprintf("%s-%d-%s", p.name, width, look.name))
				}
			})
		}
	}
}

// The report is a file that is read without a server.
func TestTheReportAsAFile(t *testing.T) {
	inEveryWindow(t, func(t *testing.T, b tab) {
		b.run(chromedp.Navigate("file://" + filepath.Join(shared.dir, "small", "report.html")))
		b.until(`document.readyState === "complete"`)
		b.cutsNothing("report")
		b.shot("report-" + b.name)
		if b.width < 500 {
			b.fitsFingers("report.html")
		}
		if cut := b.text(`[...document.querySelectorAll("svg text")].map((e) => e.textContent).filter((text) => text.endsWith("…")).join("; ")`); cut != "" {
			t.Errorf("cut off: %s", cut)
		}
	})
}

// cutsNothing fails if an element hides the end of its text, unless it can be scrolled.
func (b tab) cutsNothing(page string) {
	b.Helper()
	if cut := b.text(`[...document.querySelectorAll("main *, header *")].filter((e) => {
		const s = getComputedStyle(e);
		return e.innerText?.trim() && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 4 && s.display !== "inline" && s.overflowX === "hidden" && !e.closest(".hidden, .skip, svg");
	}).map((e) => e.tagName + "." + e.className + ": " + e.innerText.slice(0, 40)).slice(0, 5).join("; ")`); strings.TrimSpace(cut) != "" {
		b.Errorf("%s cuts off %s", page, cut)
	}
}
