package browser

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A run is resumed, watched, stopped, and resumed until it ends.
func TestWatchARun(t *testing.T) {
	config, err := os.ReadFile("testdata/watched.toml")
	if err != nil {
		t.Fatal(err)
	}
	stopped := 0
	inEveryWindow(t, func(t *testing.T, b tab) {
		name := fmt.Sprintf("watched-%d-%v", b.width, b.dark)
		dir := filepath.Join(shared.dir, name)
		os.RemoveAll(dir) // of a test that was killed
		t.Cleanup(func() { os.RemoveAll(dir) })
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "config.toml"), config, 0o666); err != nil {
			t.Fatal(err)
		}
		b.open("/runs?name=" + name)
		b.click(`button[data-act="resume"]`)
		b.within(time.Minute, `document.querySelector("#live progress") && document.documentElement.dataset.ready`)
		b.shot("run-live-" + b.name)
		// A run may end before it is stopped.
		b.do(`document.querySelector("button[data-act=stop]")?.click()`)
		b.within(2*time.Minute, `/stopped|: finished/.test(`+status+`) && document.documentElement.dataset.ready`)
		if strings.Contains(b.text(status), "stopped") {
			stopped++
			b.click(`button[data-act="resume"]`)
		}
		b.within(4*time.Minute, `!document.getElementById("live").dataset.working && /: finished, 1[0-9] stages/.test(document.getElementById("status").textContent)`)
		t.Log(b.text(status))
		b.until(`document.readyState === "complete" && /Where they err/.test(document.querySelector(".doc").textContent)`)
		b.shot("runs-" + b.name)
	})
	if stopped == 0 {
		t.Error("every run ended before it was stopped: make testdata/watched.toml longer")
	}
}

// A new run is started, watched and stopped.
func TestBeginARun(t *testing.T) {
	inBothSizes(t, func(t *testing.T, b tab) {
		name := fmt.Sprintf("new-%d", b.width)
		dir := filepath.Join(shared.dir, name)
		os.RemoveAll(dir) // of a test that was killed
		t.Cleanup(func() { os.RemoveAll(dir) })
		b.open("/runs")
		b.click("#new-run summary")
		b.set("new-name", name)
		b.shot("run-new-" + b.name)
		b.click("#new button")
		b.within(time.Minute, fmt.Sprintf(`document.getElementById("live")?.dataset.name === %q && document.querySelector("#live progress") && document.documentElement.dataset.ready`, name)) // the page's script has run
		b.do(`document.querySelector("button[data-act=stop]").click()`)
		b.within(time.Minute, `/stopped/.test(document.getElementById("status").textContent)`)
		b.open("/runs")
		b.click("#new-run summary")
		b.set("new-name", name) // again
		b.click("#new button")
		b.until(`/already/.test(document.getElementById("fault").textContent)`)
	})
}

// If the server ends while a page watches a run, the page says so, and offers to resume the run when the
// server is back.
func TestTheServerEndsDuringARun(t *testing.T) {
	config, err := os.ReadFile("testdata/watched.toml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "watched"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "watched", "config.toml"), bytes.Replace(config, []byte("2000"), []byte("200000"), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	serve := ownServer(t, dir)
	first, told := serve()
	b := newTab(t, 1280, false)
	b.open("/runs?name=watched")
	b.click(`button[data-act="resume"]`)
	b.within(time.Minute, `document.querySelector("#live progress")`)
	first.Process.Signal(os.Interrupt)
	first.Wait()
	if !strings.Contains(told.String(), "run --resume --dir") {
		t.Errorf("the terminal says %q: expected how to go on", told)
	}
	b.until(`/server has ended.*watched.*Start the server again to resume/.test(document.getElementById("fault").textContent)`)
	b.until(`!document.querySelector("button[data-act]")`)
	b.shot("run-server-ended-1280-light")
	b.until(offline)
	serve()
	b.within(time.Minute, `document.getElementById("fault").hidden && document.querySelector("button[data-act=resume]")`)
}

// ownServer replaces the server for the rest of the test. The returned function starts the new server,
// and starts it again at the same address.
func ownServer(t *testing.T, dir string) func() (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	main := shared.address
	shared.address = "http://" + address
	t.Cleanup(func() { shared.address = main })
	return func() (*exec.Cmd, *bytes.Buffer) {
		var told bytes.Buffer
		c := exec.Command(shared.train, "serve", "--listen", address, "--dir", dir)
		c.Stderr = &told
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			c.Process.Signal(os.Interrupt)
			c.Wait() // it may have ended already
		})
		for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
			if r, err := http.Get("http://" + address + "/api/game"); err == nil {
				r.Body.Close()
				return c, &told
			} else if time.Now().After(end) {
				t.Fatal(err)
			}
		}
	}
}
