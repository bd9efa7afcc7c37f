package browser

import (
	"fmt"
	"strings"
	"testing"
)

// A person walks through the default book by clicks, goes back, compares it with the
// book of a run, and opens a position on the board.
func TestExploreABook(t *testing.T) {
	for _, width := range widths {
		for _, dark := range []bool{false, true} {
			t.Run(fmt.Sprint(width, dark), func(t *testing.T) {
				b := newTab(t, width, dark)
				b.open("/book")
				entries := func() string { return b.text(`document.getElementById("status").textContent`) }
				start := entries()
				if !strings.Contains(start, "South to move") {
					t.Fatalf("the start: %s", start)
				}
				for ply := 1; ply <= 3; ply++ {
					b.click("#branches tr.best a")
					b.until(fmt.Sprintf(`document.querySelectorAll("#crumbs a").length === %d`, ply+1))
				}
				if now := entries(); now == start || !strings.Contains(now, "North to move") {
					t.Errorf("after three moves: %s", now)
				}
				b.click("#crumbs a")
				b.until(fmt.Sprintf(`document.getElementById("status").textContent === %q`, start))
				b.until(`/after .*pl.*, search nodes/.test(document.querySelector("td.source").textContent)`)
				b.until(`document.getElementById("other").options.length > 2`)
				b.set("other", "small/book.bin")
				b.until(`/entries are the same/.test(document.getElementById("difference").textContent)`)
				b.until(`document.querySelectorAll("tr.differs").length > 0`)
				b.shot(fmt.Sprintf("book-%d-%s", width, map[bool]string{false: "light", true: "dark"}[dark]))
				b.click("#next p:last-child a")
				b.until(`document.querySelectorAll(".house").length === 12`)
			})
		}
	}
}
