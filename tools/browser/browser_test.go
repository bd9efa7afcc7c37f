// Package browser tests the pages of train serve in a real browser, Debian's Chromium:
//
//	apt-get install -y chromium
//	npm ci --prefix tools/browser        # axe-core, for the accessibility test
//	go test -C tools/browser . -timeout 30m
//	go test -C tools/browser . -timeout 30m -shots DIR   # keeps screenshots of every page
//
// The features and their tests:
//
//	chances and margins           LinesOfBestPlayAreMoves, BookIsHiddenDuringAGame, KeysAnalysisAndLinks
//	seeds as the unit             SeedsAreTheUnitOfEveryPage
//	grades and accuracy           TheWorstMovesOfEachSide, AWholeGame
//	lines, threat, annotations    LinesOfBestPlayAreMoves, Threat, MovesAreAnnotated, TagsAndCommentsAreKept
//	setting up a position         SetUpAPosition
//	layout, settings, keys        ControlsAreLargeEnoughForFingers, TheAnalysisIsReadWithTheBoardInView, AFirstQuestionChoosesTheLevel, AKeyListsTheKeys
//	levels                        AFirstQuestionChoosesTheLevel, NamesOfOpponentsAreNotCut
//	colours                       EveryPage (deuteranopia), Accessibility; package serve tests the palette
//	pages of files                OpenAFile, FilterADataset, ExplainWeights, ExploreABook, EveryPage
//	runs in progress              WatchARun, BeginARun, TheServerEndsDuringARun
//	the report                    AnEvening, EveryPage
//	the lesson for newcomers      TheLessonIsPlayed
//	learning from mistakes        LearnFromMistakes
//	yielding, nothing lost        InfiniteAnalysesGiveWay, NothingIsLost, TheBoardStaysWhenAnalysed
//	games of a file               AGameOfAFileIsReviewed, AListOfGamesIsTurnedByKeys
//	offline, keyboard, readers    PagesRecoverWhenTheServerIsBack, TabLeadsThroughEveryPage, PressingKeepsTheFocus, KeysWorkWhileABoxHasTheFocus, Accessibility
//
// It is a separate module, since the program needs no browser driver. Without Chromium or axe-core,
// tests are skipped with a message.
package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var (
	shots   = flag.String("shots", "", "folder for screenshots of every page")
	program = flag.String("train", "", "the program to test (default: built from this repository)")
	folder  = flag.String("dir", "", "folder with a finished run of docs/small.toml by the name of small (default: one is made, in a minute)")
)

// The widths of a desktop and a phone.
var widths = []int64{1280, 390}

// site is a server under test.
type site struct{ address, dir, train string }

var shared site

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := withSite(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// withSite runs the tests with a server.
func withSite(m *testing.M) (int, error) {
	if chromium() == "" {
		fmt.Println("browser tests skipped: no chromium; apt-get install -y chromium")
		return 0, nil
	}
	tmp, err := os.MkdirTemp("", "kroo-browser-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(tmp)
	train := *program
	if train == "" {
		train = filepath.Join(tmp, "train")
		if out, err := exec.Command("go", "build", "-C", "../..", "-o", train, "./cmd/train").CombinedOutput(); err != nil {
			return 1, fmt.Errorf("%w: %s", err, out)
		}
	}
	if shared.dir = *folder; shared.dir == "" {
		shared.dir = filepath.Join(tmp, "runs")
		make := exec.Command(train, "run", "--config", "../../docs/small.toml", "--dir", filepath.Join(shared.dir, "small"))
		if out, err := make.CombinedOutput(); err != nil {
			return 1, fmt.Errorf("%w: %s", err, out)
		}
	}
	shared.train = train
	serve := exec.Command(train, "serve", "--listen", "127.0.0.1:0", "--dir", shared.dir)
	serve.Stderr = os.Stderr
	out, err := serve.StdoutPipe()
	if err != nil {
		return 1, err
	}
	if err := serve.Start(); err != nil {
		return 1, err
	}
	defer func() {
		serve.Process.Signal(os.Interrupt)
		serve.Wait()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return 1, err
	}
	shared.address = strings.TrimSuffix(strings.TrimSpace(line), "/")
	return m.Run(), nil
}

func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// tab is a browser window with a page.
type tab struct {
	*testing.T
	ctx   context.Context
	name  string // of the window, for screenshots: "1280-light"
	width int64
	dark  bool
}

// inBothSizes runs a test at both widths, in the light theme.
func inBothSizes(t *testing.T, test func(t *testing.T, b tab)) { inWindows(t, test, false) }

// inEveryWindow runs a test at both widths, in both themes.
func inEveryWindow(t *testing.T, test func(t *testing.T, b tab)) { inWindows(t, test, false, true) }

func inWindows(t *testing.T, test func(t *testing.T, b tab), themes ...bool) {
	t.Helper()
	for _, width := range widths {
		for _, dark := range themes {
			t.Run(windowName(width, dark), func(t *testing.T) { test(t, newTab(t, width, dark)) })
		}
	}
}

func windowName(width int64, dark bool) string {
	return fmt.Sprintf("%d-%s", width, map[bool]string{false: "light", true: "dark"}[dark])
}

// newTab opens a browser window. The test fails on any error in a page: exceptions, and violations of
// the content security policy.
func newTab(t *testing.T, width int64, dark bool) tab {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium()), chromedp.NoSandbox, chromedp.Flag("hide-scrollbars", true))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 6*time.Minute)
	t.Cleanup(cancel)
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			t.Errorf("the page throws: %s %s", e.ExceptionDetails.Text, e.ExceptionDetails.Exception.Description)
		case *log.EventEntryAdded:
			if e.Entry.Level == log.LevelError && !strings.Contains(e.Entry.Text, "status of 4") && !strings.Contains(e.Entry.Text, "net::ERR_") {
				t.Errorf("the page logs: %s %s", e.Entry.Text, e.Entry.URL)
			}
		}
	})
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	height := int64(900)
	if width < 500 {
		height = 844
	}
	b := tab{t, ctx, windowName(width, dark), width, dark}
	b.run(log.Enable(), chromedp.EmulateViewport(width, height),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
	return b
}

func (b tab) run(actions ...chromedp.Action) {
	b.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// do runs a statement in the page.
func (b tab) do(statement string) {
	b.Helper()
	b.run(chromedp.Evaluate("{"+statement+"\n}; 0", nil))
}

// open opens a page and waits until its script has drawn it.
func (b tab) open(path string) {
	b.Helper()
	b.run(chromedp.Navigate(shared.address + path))
	b.until(`document.documentElement.dataset.ready === "true"`)
}

// until waits for an expression to be true.
func (b tab) until(expression string) {
	b.Helper()
	b.within(30*time.Second, expression)
}

func (b tab) within(limit time.Duration, expression string) {
	b.Helper()
	for end := time.Now().Add(limit); ; {
		var ok bool
		// An error means that the page is being replaced.
		if err := chromedp.Run(b.ctx, chromedp.Evaluate("!!("+expression+")", &ok)); err == nil && ok {
			return
		}
		if time.Now().After(end) {
			b.Fatalf("never true: %s\nthe page: %s", expression, b.text("document.body.innerText"))
		}
		time.Sleep(30 * time.Millisecond)
	}
}

// text returns the value of an expression.
func (b tab) text(expression string) (s string) {
	b.Helper()
	b.run(chromedp.Evaluate("String("+expression+")", &s))
	return s
}

func (b tab) number(expression string) (n float64) {
	b.Helper()
	b.run(chromedp.Evaluate("Number("+expression+")", &n))
	return n
}

// click clicks in the middle of the element of a selector.
func (b tab) click(selector string) {
	b.Helper()
	b.until(fmt.Sprintf(`document.querySelector(%q)`, selector))
	var at []float64
	// A busy machine lays out a page while it is being clicked: wait until the place rests.
	b.run(chromedp.Evaluate(fmt.Sprintf(`(async () => {
		let at = [];
		for (;;) {
			const e = document.querySelector(%q);
			e.scrollIntoView({ block: "center", inline: "center" });
			const r = e.getBoundingClientRect();
			const before = at;
			at = [r.x + r.width / 2, r.y + r.height / 2];
			if (at[0] === before[0] && at[1] === before[1]) return at;
			await new Promise((resolve) => setTimeout(resolve, 30));
		}
	})()`, selector), &at, awaitPromise))
	b.run(chromedp.MouseClickXY(at[0], at[1]))
}

// awaitPromise evaluates to what a promise resolves to.
func awaitPromise(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// start begins a new game with a clock.
func (b tab) start(level, clock string) {
	b.Helper()
	b.open("/")
	b.set("level", level)
	b.set("clock", clock)
	b.click("#new button[type=submit]")
	b.until(`location.search === "" && document.querySelector(".house.playable") && document.querySelector("#store-top .clock")`)
}

// set changes the value of a field, as a person does.
func (b tab) set(id, value string) {
	b.Helper()
	b.do(fmt.Sprintf(`{ const f = document.getElementById(%q); f.value = %q; f.dispatchEvent(new Event("input", {bubbles: true})); f.dispatchEvent(new Event("change", {bubbles: true})); 0 }`, id, value))
}

// fits fails if a page is wider than its window.
func (b tab) fits() {
	b.Helper()
	if w, has := b.number("document.documentElement.scrollWidth"), b.number("innerWidth"); w > has {
		wide := b.text(`[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll")).map(e => e.tagName + "." + e.className + "#" + e.id).slice(0, 5).join(", ")`)
		b.Errorf("the page is %g wide in a window of %g: %s", w, has, wide)
	}
}

// speaks fails if a page contains, visibly or for screen readers, a text such as "undefined".
func (b tab) speaks() {
	b.Helper()
	if odd := b.text(`[document.body.innerText, ...[...document.querySelectorAll("[aria-label], [title], title")].map((e) => e.getAttribute("aria-label") ?? e.getAttribute("title") ?? e.textContent)]
		.flatMap((t) => t.match(/.{0,30}(undefined|NaN|\[object|\bnull\b|Infinity).{0,30}/g) ?? []).slice(0, 5).join("; ")`); odd != "" {
		b.Errorf("the page says %s", odd)
	}
}

// drawsInside fails if a text of a drawing ends outside of the drawing.
func (b tab) drawsInside() {
	b.Helper()
	if cut := b.text(`[...document.querySelectorAll("svg text")].filter((t) => {
		if (!t.checkVisibility()) return false;
		const s = t.closest("svg").getBoundingClientRect(), r = t.getBoundingClientRect();
		return r.width && (r.left < s.left - 1 || r.right > s.right + 1 || r.top < s.top - 2 || r.bottom > s.bottom + 2);
	}).map((t) => t.textContent).slice(0, 5).join("; ")`); cut != "" {
		b.Errorf("outside of the drawing: %s", cut)
	}
}

// namesOnce fails if two elements have one id, so that links lead to the wrong one.
func (b tab) namesOnce() {
	b.Helper()
	if twice := b.text(`[...document.querySelectorAll("[id]")].filter((e) => document.getElementById(e.id) !== e).map((e) => e.id).slice(0, 5).join("; ")`); twice != "" {
		b.Errorf("ids that occur twice: %s", twice)
	}
}

// shot checks the page, and saves a screenshot if requested.
func (b tab) shot(name string) {
	b.Helper()
	b.fits()
	b.speaks()
	b.drawsInside()
	b.namesOnce()
	if *shots == "" {
		return
	}
	var png []byte
	b.run(chromedp.FullScreenshot(&png, 100))
	if err := os.MkdirAll(*shots, 0o777); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*shots, name+".png"), png, 0o666); err != nil {
		b.Fatal(err)
	}
}

// getJSON requests a value from the server.
func getJSON(t *testing.T, path string, value any) {
	t.Helper()
	r, err := http.Get(shared.address + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if err := json.NewDecoder(r.Body).Decode(value); err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v", path, r.StatusCode, err)
	}
}
