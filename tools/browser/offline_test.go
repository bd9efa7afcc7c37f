package browser

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// offline is true while a page says that the server is not there.
const offline = `document.getElementById("offline")?.textContent === "No connection to train serve. Is it running?"`

// The server ends in the middle of a game, an analysis and a look at a dataset, and is killed: the
// pages say so, ask again, and continue when it is back.
func TestPagesRecoverWhenTheServerIsBack(t *testing.T) {
	serve := ownServer(t, shared.dir)
	for _, kill := range []bool{false, true} {
		end := func(server *os.Process) {
			if kill {
				server.Kill()
			} else {
				server.Signal(os.Interrupt)
			}
		}
		server, _ := serve()
		b := newTab(t, 390, false)
		b.open("/?moves=FfEe")
		b.run(chromedp.Evaluate(`document.getElementById("animate").checked && document.getElementById("animate").click()`, nil))
		b.run(chromedp.Evaluate(`document.getElementById("endless").checked || document.getElementById("endless").click()`, nil))
		b.click("#analyse")
		b.until(`Number(document.getElementById("depth").textContent) >= 8`)
		end(server.Process)
		server.Wait()
		b.until(offline)
		b.shot("offline-390-light")
		b.click(`.house[data-house="2"]`) // C
		server, _ = serve()
		b.until(`!document.getElementById("offline") && location.search.includes("moves=FfEeC")`)
		b.until(`document.getElementById("fault").hidden && Number(document.getElementById("depth").textContent) >= 8`)

		b.open("/runs")
		b.click("#new-run summary")
		end(server.Process)
		server.Wait()
		b.set("new-name", "never")
		b.click("#new button")
		b.until(offline + ` && /try again when it is running/.test(document.getElementById("fault").textContent)`)
		server, _ = serve()
		b.until(`!document.getElementById("offline")`)
		if _, err := os.Stat(shared.dir + "/never"); err == nil {
			t.Error("a run was begun that nobody asked for when the server was back")
		}
		end(server.Process)
		server.Wait()
	}
}

// Keys are the board's while a box to tick has the focus, and a field's while one does.
func TestKeysWorkWhileABoxHasTheFocus(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open("/?moves=FfEe")
	b.run(chromedp.Evaluate(`document.getElementById("animate").checked && document.getElementById("animate").click(); document.getElementById("settings").open = true; document.getElementById("sound").focus()`, nil))
	b.run(chromedp.KeyEvent("c"))
	b.until(`location.search.includes("moves=FfEeC") && document.activeElement.id === "sound"`)
	b.run(chromedp.Evaluate(`document.getElementById("text").focus()`, nil))
	b.run(chromedp.KeyEvent("u"))
	b.until(`document.getElementById("text").value === "u" && location.search.includes("moves=FfEeC")`)
}
