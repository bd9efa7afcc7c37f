package browser

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// offline is true while a page reports that the server cannot be reached.
const offline = `document.getElementById("offline")?.textContent === "No connection to train serve. Is it running?"`

// If the server ends or is killed during a game with analysis, or before a run is started, the page says
// so, retries, and continues when the server is back.
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
		b.do(`document.getElementById("animate").checked && document.getElementById("animate").click()`)
		b.do(`document.getElementById("endless").checked || document.getElementById("endless").click()`)
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

// Keys control the board while a checkbox has the focus, but not while a text field has it.
func TestKeysWorkWhileABoxHasTheFocus(t *testing.T) {
	b := newTab(t, 1280, false)
	b.open("/?moves=FfEe")
	b.do(`document.getElementById("animate").checked && document.getElementById("animate").click(); document.getElementById("settings").open = true; document.getElementById("sound").focus()`)
	b.run(chromedp.KeyEvent("c"))
	b.until(`location.search.includes("moves=FfEeC") && document.activeElement.id === "sound"`)
	b.do(`document.getElementById("text").focus()`)
	b.run(chromedp.KeyEvent("u"))
	b.until(`document.getElementById("text").value === "u" && location.search.includes("moves=FfEeC")`)
}
