package serve

import (
	"context"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
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
			refuse(w, http.StatusForbidden, "this server is not called %q: use its address, or start it with --host", hostOf(r.Host))
			return
		case !sameOrigin(r):
			refuse(w, http.StatusForbidden, "the request comes from another site")
			return
		}
		if s.config.Token != "" && !s.admit(w, r) {
			return
		}
		if !s.begin() {
			s.reply(w, nil, errStopping)
			return
		}
		defer s.requests.Done()
		ctx, cancel := context.WithCancelCause(r.Context())
		defer cancel(nil)
		defer context.AfterFunc(s.done, func() { cancel(context.Cause(s.done)) })()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// begin counts a request, unless the server stops.
func (s *Server) begin() bool {
	s.beginning.Lock()
	defer s.beginning.Unlock()
	if s.done.Err() != nil {
		return false
	}
	s.requests.Add(1)
	return true
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
		http.SetCookie(w, &http.Cookie{Name: tokenCookie(r.Host), Value: s.config.Token, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
		q.Del("token")
		to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, "/"), RawQuery: q.Encode()}
		http.Redirect(w, r, to.String(), http.StatusSeeOther)
		return false
	}
	refuse(w, http.StatusUnauthorized, "this server asks for its token: open the address that it printed when it began")
	return false
}

// places limits the number of connections, and so of requests. A host may have as many as it leaves free:
// hosts that open many connections shut out only themselves.
type places struct {
	mu    sync.Mutex
	free  int
	hosts map[string]int // connections of each
}

func newPlaces(most int) *places { return &places{free: most, hosts: map[string]int{}} }

// count counts a connection that opens or closes, and closes one that its host may not have.
func (p *places) count(c net.Conn, state http.ConnState) {
	p.mu.Lock()
	defer p.mu.Unlock()
	host := hostOf(c.RemoteAddr().String())
	switch state {
	case http.StateNew:
		p.free--
		if p.hosts[host]++; p.hosts[host] > p.free+1 {
			c.Close() // and its state is closed next
		}
	case http.StateClosed:
		p.free++
		if p.hosts[host]--; p.hosts[host] == 0 {
			delete(p.hosts, host)
		}
	}
}
