package serve

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"kroo/internal/vfs"
)

// policy lets pages load only what this server sends, and forbids inline scripts and styles.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// guard wraps a handler. It refuses requests from pages of other sites and those without the token.
// Requests end when the server stops.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		allowTime(w)
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		switch {
		case !s.knownHost(r.Host):
			refuse(w, http.StatusForbidden, "this server is not called %q: use its address, or start it with --host",
				hostOf(r.Host))
			return
		case !sameOrigin(r):
			refuse(w, http.StatusForbidden, "the request comes from another site")
			return
		}
		if s.config.Token != "" && !s.admit(w, r) {
			return
		}
		if !s.open.TryRLock() {
			s.reply(w, nil, errStopping)
			return
		}
		defer s.open.RUnlock()
		ctx, cancel := context.WithCancelCause(r.Context())
		defer cancel(nil)
		defer context.AfterFunc(s.done, func() { cancel(context.Cause(s.done)) })()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// knownHost reports whether a request names this server by an IP address, as localhost, or by a name of
// the configuration. Another name that resolves to this server is an attack (DNS rebinding): scripts of
// its pages could read ours.
func (s *Server) knownHost(host string) bool {
	name := hostOf(host)
	if _, err := netip.ParseAddr(name); err == nil || name == "localhost" {
		return true
	}
	return slices.ContainsFunc(s.config.Hosts, func(h string) bool { return strings.EqualFold(h, name) })
}

// hostOf returns a host without port and brackets.
func hostOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}

// sameOrigin reports whether a request comes from a page of this server or from no page, by the header
// Sec-Fetch-Site or, of older browsers, Origin. Links of other sites may lead to pages, but not to the
// API.
func sameOrigin(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || u.Host != r.Host || u.Scheme != "http" && u.Scheme != "https" {
			return false
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	}
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && !strings.HasPrefix(r.URL.Path, "/api/")
}

// tokenCookie returns the name of the cookie with the token. Cookies are shared by all ports of a host,
// so the name contains the port.
func tokenCookie(host string) string {
	if _, port, err := net.SplitHostPort(host); err == nil {
		return "kroo-token-" + port
	}
	return "kroo-token"
}

// admit reports whether a request has the token in a header or a cookie. A request that has it in its
// address gets the cookie and is redirected to the address without the token.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) bool {
	right := func(given string) bool { return subtle.ConstantTimeCompare([]byte(given), []byte(s.config.Token)) == 1 }
	if given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && right(given) {
		return true
	}
	if c, err := r.Cookie(tokenCookie(r.Host)); err == nil && right(c.Value) {
		return true
	}
	q := r.URL.Query()
	if r.Method == http.MethodGet && right(q.Get("token")) {
		// Lax, since a link from elsewhere, or the file that opens the browser, may lead to a page. The API
		// refuses other sites itself.
		http.SetCookie(w, &http.Cookie{
			Name:     tokenCookie(r.Host),
			Value:    s.config.Token,
			Path:     "/",
			HttpOnly: true,
			SameSite: http.SameSiteLaxMode,
		})
		q.Del("token")
		to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, "/"), RawQuery: q.Encode()}
		http.Redirect(w, r, to.String(), http.StatusSeeOther)
		return false
	}
	refuse(w, http.StatusUnauthorized, "this server requires a token: open the address that it printed at startup")
	return false
}

// places limits the number of connections, and so of requests. A host may have as many as it leaves free:
// hosts that open many connections shut out only themselves.
type places struct {
	mu    sync.Mutex
	free  int
	hosts map[string]int // connections of each
	// silent are the connections without a request yet. A browser opens some in advance.
	silent map[net.Conn]bool
}

func newPlaces(free int) *places {
	return &places{free: free, hosts: map[string]int{}, silent: map[net.Conn]bool{}}
}

// count counts a connection that opens or closes, and closes one that its host may not have.
func (p *places) count(c net.Conn, state http.ConnState) {
	p.mu.Lock()
	defer p.mu.Unlock()
	host := hostOf(c.RemoteAddr().String())
	delete(p.silent, c)
	switch state {
	case http.StateNew:
		p.silent[c] = true
		p.free--
		p.hosts[host]++
		if p.hosts[host] > p.free+1 {
			c.Close() // and its state is closed next
		}
	case http.StateClosed:
		p.free++
		p.hosts[host]--
		if p.hosts[host] == 0 {
			delete(p.hosts, host)
		}
	}
}

// closeSilent closes the connections without a request. Shutdown would wait five seconds for each.
func (p *places) closeSilent() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.silent {
		c.Close() // and its state is closed next
	}
}

// Token returns the token that visitors need: from a file if one is given; "" for a loopback address
// without other host names, which only this machine can reach (another name belongs to a proxy, which
// lets other machines in); else a random one.
func Token(a net.Addr, hosts []string, file string) (string, error) {
	if file != "" {
		data, err := vfs.ReadFile(file)
		if err != nil {
			return "", err
		}
		token := strings.TrimSpace(string(data))
		if len(token) < 16 || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`",;\`, r) }) {
			return "", fmt.Errorf("%s: expected a token of at least 16 letters and digits", file)
		}
		return token, nil
	}
	if at, err := netip.ParseAddrPort(a.String()); err == nil && at.Addr().IsLoopback() && len(hosts) == 0 {
		return "", nil
	}
	return rand.Text(), nil
}

// Address returns the address that a visitor opens.
func Address(a net.Addr, token string) string {
	host := a.String()
	if at, err := netip.ParseAddrPort(host); err == nil && at.Addr().IsUnspecified() {
		host = fmt.Sprintf("%s:%d", outside(), at.Port())
	}
	address := "http://" + host + "/"
	if token != "" {
		address += "?token=" + url.QueryEscape(token)
	}
	return address
}

// outside returns an address of this machine in a network, or localhost.
func outside() string {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return "localhost"
	}
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() {
			return n.IP.String()
		}
	}
	return "localhost"
}

// Browse opens a browser. If the address has a token, the browser opens a file that redirects to it and
// that only this user can read, since all users can see the arguments of a program. The returned
// function removes the file.
func Browse(address string) (remove func(), err error) {
	remove = func() {}
	if u, err := url.Parse(address); err != nil || u.RawQuery != "" {
		path, err := redirectTo(address)
		if err != nil {
			return remove, err
		}
		address, remove = path, func() { vfs.Remove(path) } // the token ends with the server
	}
	return remove, openBrowser(address)
}

// redirectTo writes a page that redirects to an address.
func redirectTo(address string) (path string, err error) {
	path = filepath.Join(os.TempDir(), "kroo-"+rand.Text()+".html")
	f, err := vfs.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprint(f, h.Doctype(h.HTML(h.Lang("en"), h.Head(h.Meta(h.Charset("utf-8")), h.TitleEl(g.Text("Kroo")),
		h.Meta(g.Attr("http-equiv", "refresh"), h.Content("0; url="+address))),
		h.Body(h.P(h.A(h.Href(address), g.Text("Open Kroo")))))))
	return path, errors.Join(err, f.Close())
}

// openBrowser opens an address or a file with the system's browser.
func openBrowser(address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	c := exec.Command(name, args...)
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			return errors.New(name + " failed")
		}
	case <-time.After(2 * time.Second): // the command is the browser itself
	}
	return nil
}
