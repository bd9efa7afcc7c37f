package natspool

import (
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"kroo/farm"
)

// slowLine is a way to a server on which everything takes a while, and which breaks now
// and then.
type slowLine struct {
	net.Listener
	to    string
	delay time.Duration
	mu    sync.Mutex
	open  []net.Conn
}

func newSlowLine(t *testing.T, to string, delay time.Duration) *slowLine {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &slowLine{Listener: l, to: to, delay: delay}
	t.Cleanup(func() {
		l.Close()
		s.cut()
	})
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go s.carry(c)
		}
	}()
	return s
}

func (s *slowLine) carry(c net.Conn) {
	d, err := net.Dial("tcp", s.to)
	if err != nil {
		c.Close()
		return
	}
	s.mu.Lock()
	s.open = append(s.open, c, d)
	s.mu.Unlock()
	go s.late(c, d)
	go s.late(d, c)
}

// late copies what comes, each piece after the delay.
func (s *slowLine) late(to, from net.Conn) {
	type piece struct {
		due  time.Time
		data []byte
	}
	pieces := make(chan piece, 1<<12)
	go func() {
		defer close(pieces)
		for {
			b := make([]byte, 1<<14)
			n, err := from.Read(b)
			if n > 0 {
				pieces <- piece{time.Now().Add(s.delay), b[:n]}
			}
			if err != nil {
				return
			}
		}
	}()
	for p := range pieces {
		time.Sleep(time.Until(p.due))
		if _, err := to.Write(p.data); err != nil && err != io.EOF {
			break
		}
	}
	to.Close()
	from.Close()
	for range pieces { // so that the reader ends
	}
}

// cut breaks all connections.
func (s *slowLine) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.open {
		c.Close()
	}
	s.open = nil
}

// A line of 100 ms there and back that breaks at the work: workers and the coordinator
// come back, and every task is taken once.
func TestSlowLinesThatBreakLoseNothing(t *testing.T) {
	t.Parallel()
	server, told := dial(t, Config{})
	u, err := url.Parse(server.Address())
	if err != nil {
		t.Fatal(err)
	}
	line := newSlowLine(t, u.Host, 50*time.Millisecond)
	far := "nats://" + line.Addr().String()
	for range 2 {
		join(t, server, upper, func(c *WorkerConfig) { c.URL = far })
	}
	n, err := Dial(t.Context(), Config{URL: far, Notice: told.add})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	s := open(t, n, farm.Work{})
	do(t, s, 200)
	for range 2 {
		time.AfterFunc(100*time.Millisecond, line.cut)
		do(t, s, 2000)
	}
	if c := counts(s); c.Done != 4200 || !told.has("the server is back") {
		t.Errorf("%+v, told %q: want 4200 tasks done over a line that broke", c, told.list)
	}
}
