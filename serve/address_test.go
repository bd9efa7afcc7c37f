package serve

import (
	"net"
	"net/url"
	"os"
	"path/filepath"
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

// A token may contain characters that are special in addresses.
func TestAnAddressEncodesTheToken(t *testing.T) {
	const token = "a+b%20c#d&token=e?/~"
	address, err := url.Parse(Address(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}, token))
	if err != nil || address.Query().Get("token") != token {
		t.Errorf("%s, %v: expected the token %s", address, err, token)
	}
}
