package browser

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A person filters a dataset by typing and by a click on a bar, sets predictions beside
// its labels, and has the worst predicted position analysed.
func TestFilterADataset(t *testing.T) {
	for _, width := range widths {
		for _, dark := range []bool{false, true} {
			t.Run(fmt.Sprint(width, dark), func(t *testing.T) {
				b := newTab(t, width, dark)
				b.open("/datasets?name=small/labels.parquet&weights=default")
				status := func() string { return b.text(`document.getElementById("status").textContent`) }
				b.until(`document.querySelectorAll(".boards li").length === 12`)
				b.shot(fmt.Sprintf("dataset-%d-%s", width, map[bool]string{false: "light", true: "dark"}[dark]))
				b.describes("label", `^label: from [+−]?[\d.]+ to [+−]?[\d.]+, median [+−]?[\d.]+$`, `^[+−]?[\d.]+ … [+−]?[\d.]+ … [+−]?[\d.]+$`)
				b.describes("depth", `^depth: from \d+ to \d+, median \d+$`, `^\d+ … \d+ … \d+$`)
				b.describes("exact", `^exact: false [\d\x{202f}]+, true [\d\x{202f}]+$`, `^false [\d\x{202f}]+, true [\d\x{202f}]+$`)
				b.describes("best", `^best: [A-Fa-f] [\d\x{202f}]+, `, `^[A-Fa-f] [\d\x{202f}]+, `)
				whole := status()
				b.run(chromedp.SendKeys("#where", "phase>=44\n", chromedp.ByQuery))
				b.until(fmt.Sprintf(`document.getElementById("status").textContent !== %q`, whole))
				some := status()
				if !strings.Contains(b.text("location.search"), "phase") {
					t.Errorf("the address does not hold the filter: %s", b.text("location.search"))
				}
				b.run(chromedp.Evaluate(`[...document.querySelectorAll(".histogram")].find((h) => h.getAttribute("aria-label").startsWith("exact")).querySelectorAll(".column")[0].dispatchEvent(new MouseEvent("click"))`, nil))
				b.until(fmt.Sprintf(`document.getElementById("status").textContent !== %q && document.getElementById("where").value.endsWith("exact=false")`, some))
				t.Logf("%s; %s; %s", whole, some, status())
				b.until(`document.querySelectorAll(".boards li a").length > 0`)
				b.click(".boards li a")
				b.within(time.Minute, `document.querySelectorAll("#lines tr").length > 0`)
			})
		}
	}
}

// describes fails unless a column is read out, and described, as a pattern says.
func (b tab) describes(column, label, note string) {
	b.Helper()
	card := fmt.Sprintf(`[...document.querySelectorAll(".column-card")].find((c) => c.querySelector("b").textContent === %q)`, column)
	for expression, want := range map[string]string{card + `.querySelector(".histogram").getAttribute("aria-label")`: label, card + `.querySelector("p.note").textContent`: note} {
		if got := b.text(expression); !regexp.MustCompile(want).MatchString(got) {
			b.Errorf("%s: %q, want %s", column, got, want)
		}
	}
}

// Two datasets stand side by side.
func TestDatasetsSideBySide(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open("/datasets?name=small/labels.parquet&other=small/features.parquet")
	b.until(`document.querySelectorAll(".panel[data-done]").length === 2 && document.querySelectorAll(".boards li").length === 24`)
	b.shot("datasets-1280-light")
}
