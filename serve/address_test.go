package serve

import (
	"html"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

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

// The token is not an argument of the command that opens the browser, which all users can see, but in a
// file that only this user can read.
func TestTheTokenIsNoArgumentOfABrowser(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a stand-in for xdg-open")
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "xdg-open"), []byte("#!/bin/sh\nprintf %s \"$1\" > "+dir+"/told\n"), 0o777))
	told := func(address string) (string, func()) {
		remove, err := Browse(address)
		text, bad := os.ReadFile(filepath.Join(dir, "told"))
		if err != nil || bad != nil {
			t.Fatal(err, bad)
		}
		return string(text), remove
	}
	const address = "http://127.0.0.1:80/?token=a%2Bb%26%22c"
	path, remove := told(address)
	info, err := os.Stat(path)
	if strings.Contains(path, "a%2Bb") || err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("told %q: %v, %v", path, info, err)
	}
	if page, err := os.ReadFile(path); err != nil || !strings.Contains(html.UnescapeString(string(page)), `content="0; url=`+address+`"`) {
		t.Errorf("the file holds %s, %v", page, err)
	}
	remove()
	if _, err := os.Stat(path); err == nil {
		t.Error("the file is left")
	}
	if path, remove := told("http://127.0.0.1:80/"); path != "http://127.0.0.1:80/" {
		t.Errorf("without a token: told %q", path)
	} else {
		remove()
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
