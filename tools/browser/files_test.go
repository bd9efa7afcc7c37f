package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A dataset is filtered by typing and by a value of a column, and one of its boards analysed.
func TestFilterADataset(t *testing.T) {
	inEveryWindow(t, func(t *testing.T, b tab) {
		b.open("/files?name=small/labels.parquet")
		status := func() string { return b.text(`document.querySelector(".status").textContent`) }
		b.until(`document.querySelectorAll("figure svg").length > 14 && document.querySelectorAll("figure .wide svg").length > 3 && document.querySelectorAll(".position .board").length === 6`)
		b.shot("dataset-" + b.name)
		whole := status()
		b.run(chromedp.SendKeys("#where", "phase>=44\n", chromedp.ByQuery))
		b.until(fmt.Sprintf(`document.querySelector(".status")?.textContent.length > %d && location.search.includes("phase") && document.readyState === "complete"`, len(whole)))
		if some := status(); !strings.Contains(some, "with phase>=44") {
			t.Errorf("filtered: %s", some)
		}
		b.do(`[...document.querySelectorAll("details")].find((d) => /^column exact:/.test(d.textContent.trim())).querySelector("a").click()`)
		b.until(`document.getElementById("where")?.value === "phase>=44, exact=false" && document.querySelector("figure + p a")`)
		b.click("figure + p a")
		b.within(time.Minute, `document.querySelectorAll("#lines tr").length > 0`)
	})
}

// Differences between two datasets are listed.
func TestDatasetsAreCompared(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open("/files?name=small/labels.parquet&other=small/features.parquet")
	b.until(`/Compared with features.parquet/i.test(document.querySelector("main").textContent)`)
	b.shot("datasets-1280-light")
}

// A click on a file opens it: a dataset, a book, and recorded games.
func TestOpenAFile(t *testing.T) {
	inBothSizes(t, func(t *testing.T, b tab) {
		for name, seen := range map[string]string{
			"small/labels.parquet": `location.pathname === "/files" && /3000 labels of oware/.test(document.querySelector(".status").textContent)`,
			"small/book.bin":       `location.pathname === "/book" && document.querySelectorAll("#section-2 tbody tr").length === 6`,
			"small/match.ogn":      `location.pathname === "/files" && /^small\/match.ogn: .*120 games/.test(document.querySelector(".status")?.textContent)`,
		} {
			b.open("/files")
			b.do(fmt.Sprintf(`[...document.querySelectorAll("td a")].find((a) => a.textContent === %q).click(); 0`, name))
			b.until(seen)
		}
	})
}

// A game of a file opens on the board and is reviewed, without the opening that its match prescribed.
func TestAGameOfAFileIsReviewed(t *testing.T) {
	inBothSizes(t, func(t *testing.T, b tab) {
		b.open("/files?name=small/match.ogn")
		b.until(`document.querySelectorAll("#section-1 tbody tr").length === 120`)
		b.shot("games-" + b.name)
		b.click("#section-1 tbody tr:nth-child(3) a")
		b.until(`document.documentElement.dataset.ready === "true" && document.querySelector("#moves .ply") && /Round: 2.1/.test(document.getElementById("record").textContent)`)
		b.click("#review")
		b.within(3*time.Minute, `!document.getElementById("summary").hidden`)
		b.click("#moves li:first-child button")
		b.until(`/of the opening, not graded/.test(document.getElementById("verdict").textContent)`)
		b.shot("reviewed-" + b.name)
	})
}

// A list of many games leads to the next and the previous page by keyboard.
func TestAListOfGamesIsTurnedByKeys(t *testing.T) {
	b := newTab(t, 390, false)
	ownFiles(t)
	games := `document.querySelector("#section-1 tbody").innerText`
	b.open("/files?name=long.ogn")
	for _, page := range []struct {
		rel   string
		first int
	}{{"next", 201}, {"next", 401}, {"prev", 201}} {
		b.do(fmt.Sprintf(`document.querySelector("a[rel=%s]").focus()`, page.rel))
		b.run(chromedp.KeyEvent(kb.Enter))
		b.until(fmt.Sprintf(`location.search.includes("first=%d") && document.readyState === "complete" && %s.startsWith("%d")`, page.first, games, page.first))
	}
	b.shot("games-long-390-light")
}

// Weights explain a position.
func TestExplainWeights(t *testing.T) {
	inEveryWindow(t, func(t *testing.T, b tab) {
		b.open("/files?name=default&board=4-4-4-4-4-0-5-5-5-5-4-4-0-0-N")
		b.until(`document.querySelectorAll(".position .house").length === 12 && document.querySelectorAll(".position .value:not(.empty)").length > 8 && /North to move|seeds for the side to move/.test(document.querySelector("main").textContent)`)
		b.shot("weights-" + b.name)
		b.open("/files?name=small/weights.json") // where nothing adds to the value of the start
		b.until(`/set thesis/.test(document.querySelector(".status").textContent) && document.getElementById("fault").hidden`)
	})
}

// Clicks lead through the default book and back, and a position is opened on the board.
func TestExploreABook(t *testing.T) {
	inEveryWindow(t, func(t *testing.T, b tab) {
		b.open("/book")
		b.until(`/South to move/.test(document.querySelector(".doc").textContent)`)
		for ply := 1; ply <= 3; ply++ {
			b.do(`[...document.querySelectorAll("#section-2 tr")].find((r) => r.textContent.includes("★")).querySelector("a").click()`)
			b.until(fmt.Sprintf(`document.readyState === "complete" && document.querySelectorAll("#crumbs a").length === %d`, ply+1))
		}
		b.until(`/North to move/.test(document.querySelector(".doc").textContent)`)
		b.click("#crumbs a")
		b.until(`/South to move/.test(document.querySelector(".doc")?.textContent) && /after .*pl.*, search/.test(document.querySelector("#section-2").textContent)`)
		b.until(`document.querySelectorAll(".doc figure svg").length >= 4`)
		b.shot("book-" + b.name)
		b.click("#crumbs + p a")
		b.until(`document.querySelectorAll("#board .house").length === 12`)
	})
}
