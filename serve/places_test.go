package serve

import (
	"bufio"
	"context"
	"math"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"kroo/internal/testkit"
)

// from dials an address from one of this machine's own.
func from(t *testing.T, local, to string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(local)}, Timeout: 10 * time.Second}
	c, err := d.Dial("tcp", to)
	if err != nil {
		t.Skip(err) // only Linux has all of 127.0.0.0/8
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

// A client that opens more connections than there are, and says nothing, shuts out nobody else.
func TestIdleConnectionsOfOneClientShutOutNobody(t *testing.T) {
	s := testServer(t, Config{})
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	defer func() {
		cancel()
		<-ended
	}()
	first := from(t, "127.0.0.1", l.Addr().String())
	for range maxConnections + 76 {
		from(t, "127.0.0.1", l.Addr().String())
	}
	if !answered(first) {
		t.Error("a connection that was there first gets no answer")
	}
	if !answered(from(t, "127.0.0.2", l.Addr().String())) {
		t.Error("another client gets no answer")
	}
	if answered(from(t, "127.0.0.1", l.Addr().String())) {
		t.Error("the client that has taken all of its places gets another")
	}
}

// A connection that is closed, and closed again, gives its place back once.
func TestAClosedConnectionGivesItsPlaceBack(t *testing.T) {
	l := newFairListener(nil, 4)
	for i, want := range []bool{true, true, false} {
		testkit.Equal(t, l.enter("a"), want, "visit %d of a host: entered %v,", i+1, !want)
	}
	if !l.enter("b") {
		t.Error("a host has other than half of the places")
	}
	mine, theirs := net.Pipe()
	defer theirs.Close()
	c := &countedConn{mine, sync.OnceFunc(func() { l.leave("b") })}
	c.Close()
	c.Close()
	if l.free != 2 || !l.enter("b") {
		t.Errorf("%d places are free", l.free)
	}
}

// What limits a server rejects.
func TestLimitsThatNoServerHas(t *testing.T) {
	t.Parallel()
	for _, c := range []Config{{Searches: math.MaxInt}, {Searches: -1}, {HashMB: math.MaxInt}, {HashMB: -1}, {Nodes: -1}, {Nodes: math.MinInt64}} {
		c.Dir = t.TempDir()
		if s, err := New(c); err == nil || !strings.Contains(err.Error(), "expected") {
			t.Errorf("%+v: %v, %v", c, s, err)
		}
	}
}
