package serve

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"kroo/internal/vfs"
)

// Token returns the token that visitors need: that of a file if one is given; "" for a loopback address
// without other host names, which only this machine can reach (another name is that of a proxy, which
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
