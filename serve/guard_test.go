package serve

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	g "maragu.dev/gomponents"

	"kroo/engine"
	othellofeatures "kroo/features/othello"
	owarefeatures "kroo/features/oware"
	"kroo/internal/testkit"
	"kroo/internal/vfs"
	"kroo/run/inspect"
)

// within configures a server by the limits of its searches.
func within(c engine.Config) Config { return Config{Spec: engine.Spec{Search: c}} }

// testServer returns a server for a temporary folder.
func testServer(t testing.TB, c Config) *Server {
	t.Helper()
	if c.Dir == "" {
		c.Dir = t.TempDir()
	}
	c.Search.Nodes, c.Search.HashMB = cmp.Or(c.Search.Nodes, 20_000), 1
	c.Games = inspect.Games{inspect.GameOf(owarefeatures.Sets), inspect.GameOf(othellofeatures.Sets)}
	s := testkit.Must(New(c))(t)
	t.Cleanup(func() { s.Close() })
	return s
}

// ask sends a request and returns the status and the answer.
func ask(s *Server, r *http.Request) (int, http.Header, string) {
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w.Code, w.Header(), w.Body.String()
}

// request returns a request from a browser on this machine.
func request(method, path string, body io.Reader) *http.Request {
	r := httptest.NewRequest(method, "http://127.0.0.1:8080"+path, body)
	r.RemoteAddr = "127.0.0.1:50000"
	return r
}

func get(s *Server, path string) (int, http.Header, string) {
	return ask(s, request(http.MethodGet, path, nil))
}

// answers returns the answer to a request, and checks its status, words of it, and that it has no path.
func answers(t *testing.T, s *Server, method, path string, want int, words ...string) string {
	t.Helper()
	code, _, text := ask(s, request(method, path, nil))
	if code != want || strings.Contains(text, filepath.Dir(s.folder.dir)) || slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) }) {
		t.Errorf("%s %.60s: %d %.400s: expected %d and %q", method, path, code, text, want, words)
	}
	return text
}

func TestOnlyOwnHostNamesAreServed(t *testing.T) {
	s := testServer(t, Config{Hosts: []string{"kroo.home"}})
	for host, want := range map[string]int{
		"127.0.0.1:8080": 200, "localhost:8080": 200, "[::1]:8080": 200, "192.168.1.7:8080": 200, "KROO.home:8080": 200, "localhost": 200,
		"evil.example:8080": 403, "localhost.evil.example": 403, "": 403, "127.0.0.1.evil.example:8080": 403,
	} {
		r := request(http.MethodGet, "/static/style.css", nil)
		r.Host = host
		if got, _, text := ask(s, r); got != want {
			t.Errorf("host %q: %d %.60s, want %d", host, got, text, want)
		}
	}
}

func TestOtherSitesAreRefused(t *testing.T) {
	s := testServer(t, Config{})
	for _, c := range []struct {
		path, header, value, mode string
		want                      int
	}{
		{"/api/game", "Origin", "http://127.0.0.1:8080", "", 200},
		{"/api/game", "Origin", "http://evil.example", "", 403},
		{"/api/game", "Origin", "http://127.0.0.1:9999", "", 403},
		{"/api/game", "Origin", "null", "", 403},
		{"/api/game", "Sec-Fetch-Site", "same-origin", "cors", 200},
		{"/api/game", "Sec-Fetch-Site", "none", "navigate", 200},
		{"/api/game", "Sec-Fetch-Site", "cross-site", "no-cors", 403},
		{"/api/game", "Sec-Fetch-Site", "cross-site", "navigate", 403},
		{"/api/game", "Sec-Fetch-Site", "same-site", "cors", 403},
		{"/", "Sec-Fetch-Site", "cross-site", "navigate", 200}, // a link from elsewhere
		{"/", "Sec-Fetch-Site", "cross-site", "no-cors", 403},
	} {
		r := request(http.MethodGet, c.path, nil)
		r.Header.Set(c.header, c.value)
		r.Header.Set("Sec-Fetch-Mode", c.mode)
		if got, _, _ := ask(s, r); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

func TestATokenIsRequired(t *testing.T) {
	const token = "correct-horse-battery"
	s := testServer(t, Config{Token: token})
	for _, path := range []string{"/", "/api/game", "/static/style.css", "/?token=wrong", "/api/game?token="} {
		answers(t, s, "GET", path, 401)
	}
	code, h, _ := get(s, "/?moves=F&token="+token)
	cookie := h.Get("Set-Cookie")
	if code != 303 || h.Get("Location") != "/?moves=F" || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Lax") {
		t.Fatalf("with the token: %d to %q, cookie %q", code, h.Get("Location"), cookie)
	}
	r := request(http.MethodGet, "/", nil)
	r.Header.Set("Cookie", strings.Split(cookie, ";")[0])
	if code, _, _ := ask(s, r); code != 200 {
		t.Errorf("with the cookie: %d", code)
	}
	// Browsers send the cookies of a host to all its ports: that of another server does no harm.
	r = request(http.MethodGet, "/", nil)
	r.Header.Set("Cookie", "kroo-token-8081=another-horse-battery; "+strings.Split(cookie, ";")[0])
	if code, _, _ := ask(s, r); code != 200 || !strings.HasPrefix(cookie, "kroo-token-8080=") {
		t.Errorf("with the cookie of another port: %d, cookie %q", code, cookie)
	}
	r = request(http.MethodGet, "/api/game", nil)
	r.Header.Set("Authorization", "Bearer "+token)
	if code, _, _ := ask(s, r); code != 200 {
		t.Errorf("with the header: %d", code)
	}
	if code, h, _ := get(s, "//evil.example/?token="+token); code != 303 || h.Get("Location") != "/evil.example/" {
		t.Errorf("an address that another site could have: %d to %q, want 303 to a page of this server", code, h.Get("Location"))
	}
}

// No page has inline scripts or styles, and the policy of every answer forbids them.
func TestStrictPolicy(t *testing.T) {
	s := testServer(t, Config{})
	for _, l := range links {
		code, h, text := get(s, l.Path)
		if code != 200 || h.Get("Content-Security-Policy") != policy || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d, %v", l.Path, code, h)
		}
		for _, bad := range []string{"<style", " style=", "onclick=", "javascript:", "http://", "https://", "{{"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s has %s", l.Path, bad)
			}
		}
		for _, tag := range strings.SplitAfter(text, "<script")[1:] {
			if tag, _, _ = strings.Cut(tag, ">"); !strings.Contains(tag, `src="/static/`) && !strings.Contains(tag, `type="application/json"`) {
				t.Errorf("%s has a script inside: <script%s>", l.Path, tag)
			}
		}
	}
	if strings.Contains(policy, "unsafe") || !strings.HasPrefix(policy, "default-src 'none'") {
		t.Errorf("the policy is %s", policy)
	}
}

func TestNoFileOutsideTheFolder(t *testing.T) {
	dir := t.TempDir()
	inside := filepath.Join(dir, "served")
	testkit.NoError(t, os.MkdirAll(filepath.Join(inside, "sub"), 0o777))
	for _, name := range []string{"secret.bin", "served/sub/book.bin"} {
		testkit.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o666))
	}
	if err := os.Symlink(filepath.Join(dir, "secret.bin"), filepath.Join(inside, "link.bin")); err != nil {
		t.Fatal(err)
	}
	f := folder{inside}
	if path, err := f.path("sub/book.bin"); err != nil || path != filepath.Join(inside, "sub", "book.bin") {
		t.Errorf("sub/book.bin: %q, %v", path, err)
	}
	for _, name := range []string{"../secret.bin", "/etc/passwd", "sub/../../secret.bin", "link.bin", "", ".", "..", "sub/\x00", "no.bin", "sub//book.bin"} {
		if path, err := f.path(name); err == nil {
			t.Errorf("%q leads to %s", name, path)
		} else if strings.Contains(err.Error(), dir) {
			t.Errorf("%q: the error contains the path of the folder: %v", name, err)
		}
	}
	if path, err := f.path(inside); err == nil {
		t.Errorf("a whole path leads to %s", path)
	}
}

func TestOnlyFilesOfTheWebAreStatic(t *testing.T) {
	s := testServer(t, Config{})
	if code, h, text := get(s, "/static/style.css"); code != 200 || !strings.HasPrefix(h.Get("Content-Type"), "text/css") || len(text) < 1000 {
		t.Errorf("style.css: %d %v", code, h)
	}
	for _, name := range []string{"../serve.go", "board.html", "", ".", "no.js", "%2e%2e/serve.go", "//etc/passwd"} {
		if code, _, _ := get(s, "/static/"+name); code == 200 {
			t.Errorf("%q is sent", name)
		}
	}
	_, h, _ := get(s, "/static/board.js")
	r := request(http.MethodGet, "/static/board.js", nil)
	r.Header.Set("If-None-Match", h.Get("ETag"))
	if code, _, _ := ask(s, r); code != http.StatusNotModified {
		t.Errorf("a file that the browser has: %d, want 304", code)
	}
}

// An unknown path is an error in JSON, or a page for a browser.
func TestUnknownPlaces(t *testing.T) {
	s := testServer(t, Config{})
	for _, path := range []string{"/nothing", "/api/nothing", "/api/"} {
		if code, h, text := get(s, path); code != 404 || h.Get("Content-Type") != "application/json" || !strings.Contains(text, "error") {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
	r := request(http.MethodGet, "/nothing<b>", nil)
	r.Header.Set("Accept", "text/html,*/*")
	if code, h, text := ask(s, r); code != 404 || !strings.HasPrefix(h.Get("Content-Type"), "text/html") || !strings.Contains(text, "/nothing&lt;b&gt;") || !strings.Contains(text, `href="/"`) {
		t.Errorf("a browser gets %d %v %s, want a page", code, h, text)
	}
	if code, _, _ := ask(s, request(http.MethodPost, "/api/game", nil)); code == 200 {
		t.Error("a POST is taken for a GET")
	}
}

// Text from requests is escaped: in an element, in an attribute, in a title, and in the data of a
// script.
func TestHostileTextOnPages(t *testing.T) {
	s := testServer(t, Config{})
	for _, bad := range []string{`<i>`, `"><img src=x onerror=alert(1)>`, `' onclick='x`, `</script><script>alert(1)</script>`, `<!--`} {
		page := fmt.Sprint(frame(link{Name: "x", Title: bad}, g.Group{faultNode(bad), choice(url.Values{bad: {bad}}, bad, bad, []string{bad}), field(url.Values{bad: {bad}}, bad, bad, bad)}))
		if n := strings.Count(page, html.EscapeString(bad)); n != 11 || html.EscapeString(bad) != bad && strings.Contains(page, bad) {
			t.Errorf("%q is %d times in the page as text, expected 11: %s", bad, n, page)
		}
		_, _, page = get(s, "/?moves="+url.QueryEscape(bad))
		_, data, _ := strings.Cut(page, `<script type="application/json" id="data">`)
		data, _, _ = strings.Cut(data, "</script>")
		var got boardData
		if err := json.Unmarshal([]byte(data), &got); err != nil || got.Fault == "" || strings.ContainsAny(data, "<>&") {
			t.Errorf("data of the script: %s, %v", data, err)
		}
	}
}

// Errors about files do not contain the path of the folder.
func TestErrorsDoNotContainTheFolder(t *testing.T) {
	dir := t.TempDir()
	newRun(t, dir, "damaged", tiny)
	for name, text := range map[string]string{
		"book.bin": "no book", "labels.parquet": "PAR1", "w.json": `{"format":"kroo-weights"`, "w.model": "kroowts\nxxxx", "damaged/manifest.json": "{}",
	} {
		testkit.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
		if err := os.Chtimes(filepath.Join(dir, name), time.Time{}, time.Now().Add(-time.Hour)); err != nil { // nobody is at work on it
			t.Fatal(err)
		}
	}
	s := testServer(t, Config{Dir: dir})
	for path, word := range map[string]string{
		"/book?name=book.bin": "book.bin", "/files?name=labels.parquet": "labels.parquet",
		"/files?name=w.json": "w.json", "/files?name=w.model": "w.model",
		"/runs": "manifest.json", "/runs?name=damaged": "manifest.json", "/api/run/watch?name=damaged": "damaged",
	} {
		if _, _, text := get(s, path); strings.Contains(text, dir) || !strings.Contains(text, word) {
			t.Errorf("%s: %s: expected one that names %s and not its folder", path, text, word)
		}
	}
	answers(t, s, "POST", "/api/run/resume?name=damaged", 400, "damaged/manifest.json")
}

// A list names files that cannot be read, without their folder, and has all others. It leaves out files
// that have vanished or are not permitted.
func TestAListReportsUnreadableFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"bad.ogn", "good.ogn"} {
		testkit.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("1. E f *\n"), 0o666))
	}
	s := testServer(t, Config{Dir: dir})
	defer vfs.Fail(func(string, string) error { return nil })
	for _, c := range []struct {
		failure error
		noted   bool
	}{{syscall.EIO, true}, {fs.ErrNotExist, false}, {syscall.EACCES, false}} {
		vfs.Fail(func(_, path string) error {
			if filepath.Base(path) != "bad.ogn" {
				return nil
			}
			return c.failure
		})
		page := answers(t, s, "GET", "/files", 200, ">good.ogn<")
		if strings.Contains(page, ">bad.ogn<") || strings.Contains(page, "cannot be read are not listed (1, such as bad.ogn: input/output error)") != c.noted {
			t.Errorf("%v: %s", c.failure, page)
		}
	}
}

// from connects to an address from a local one.
func from(t *testing.T, local, to string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(local)}, Timeout: 10 * time.Second}
	c, err := d.Dial("tcp", to)
	if err != nil {
		t.Fatal(err) // Linux has all of 127.0.0.0/8
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// answered reports whether a request over a connection gets an answer.
func answered(c net.Conn) bool {
	c.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := c.Write([]byte("GET /static/icon.svg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")); err != nil {
		return false
	}
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	return err == nil && r.StatusCode == http.StatusOK
}

// startServing serves on an address of this machine until stop, which returns the error of Serve.
func startServing(t *testing.T, s *Server) (address string, stop func() error) {
	t.Helper()
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	return l.Addr().String(), func() error {
		cancel()
		return <-ended
	}
}

// A client that opens more connections than the limit, and sends nothing, shuts out only itself.
func TestIdleConnectionsOfOneClientShutOutNobody(t *testing.T) {
	address, stop := startServing(t, testServer(t, Config{}))
	defer stop()
	first := from(t, "127.0.0.1", address)
	var idle []net.Conn
	for range maxConnections + 76 {
		idle = append(idle, from(t, "127.0.0.1", address))
	}
	if !answered(first) {
		t.Error("a connection that was there first gets no answer")
	}
	if !answered(from(t, "127.0.0.2", address)) {
		t.Error("another client gets no answer")
	}
	if answered(from(t, "127.0.0.1", address)) {
		t.Error("the client that has taken all of its places gets another")
	}
	for _, c := range idle {
		c.Close()
	}
	for end := time.Now().Add(20 * time.Second); !answered(from(t, "127.0.0.1", address)); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the client gets no answer after closing its connections")
		}
	}
}

// Limits out of range are errors.
func TestLimitsAreChecked(t *testing.T) {
	t.Parallel()
	for _, c := range []Config{{Searches: math.MaxInt}, {Searches: -1}, within(engine.Config{Nodes: 1, HashMB: math.MaxInt}), within(engine.Config{Nodes: 1, HashMB: -1}), within(engine.Config{Nodes: -1}), within(engine.Config{Nodes: math.MinInt64})} {
		c.Dir = t.TempDir()
		if s, err := New(c); err == nil || !strings.Contains(err.Error(), "expected") {
			t.Errorf("%+v: %v, %v", c, s, err)
		}
	}
}

// Only a loopback address needs no token.
func TestTokenOutsideOfThisMachine(t *testing.T) {
	for address, wanted := range map[string]bool{"127.0.0.1:80": false, "[::1]:80": false, "0.0.0.0:80": true, "[::]:80": true, "192.168.1.7:80": true} {
		a := testkit.Must(net.ResolveTCPAddr("tcp", address))(t)
		token, err := Token(a, nil, "")
		if err != nil || (token != "") != wanted || wanted && len(token) < 20 {
			t.Errorf("%s: token %q, %v", address, token, err)
		}
		if got := Address(a, token); !strings.HasPrefix(got, "http://") || strings.Contains(got, "0.0.0.0") || strings.Contains(got, "[::]") || strings.Contains(got, "token") != wanted {
			t.Errorf("%s is opened as %s", address, got)
		}
		if token, err := Token(a, []string{"kroo.example"}, ""); err != nil || len(token) < 20 {
			t.Errorf("%s by another name: token %q, %v", address, token, err)
		}
	}
}

func TestTokenOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token.txt")
	for text, ok := range map[string]bool{"correct-horse-battery\n": true, "short": false, "": false, "with spaces in the middle of it": false, "semicolon;semicolon;semicolon": false} {
		testkit.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		token, err := Token(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, nil, path)
		if (err == nil) != ok || ok && token != strings.TrimSpace(text) {
			t.Errorf("%q: token %q, %v", text, token, err)
		}
	}
}

// A token may contain characters that are special in addresses.
func TestAnAddressEncodesTheToken(t *testing.T) {
	const token = "a+b%20c#d&token=e?/~"
	address, err := url.Parse(Address(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}, token))
	if err != nil || address.Query().Get("token") != token {
		t.Errorf("%s, %v: expected the token %s", address, err, token)
	}
}
