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
	until time.Time // it is down
}

func newSlowLine(t *testing.T, to *Network, delay time.Duration) *slowLine {
	t.Helper()
	u, err := url.Parse(to.address())
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &slowLine{Listener: l, to: u.Host, delay: delay}
	t.Cleanup(func() {
		l.Close()
		s.down(0)
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

func (s *slowLine) url() string { return "nats://" + s.Addr().String() }

func (s *slowLine) carry(c net.Conn) {
	d, err := net.Dial("tcp", s.to)
	if err != nil {
		c.Close()
		return
	}
	s.mu.Lock()
	s.open = append(s.open, c, d)
	if time.Now().Before(s.until) {
		s.cut()
	}
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

// down breaks all connections, and blocks new ones for a while.
func (s *slowLine) down(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until = time.Now().Add(d)
	s.cut()
}

// cut breaks all connections. It needs the lock.
func (s *slowLine) cut() {
	for _, c := range s.open {
		c.Close()
	}
	s.open = nil
}

// A line of 100 ms there and back that breaks at the work: workers and the coordinator
// come back, and every task is taken once.
func TestSlowBrokenConnectionsLoseNoTasks(t *testing.T) {
	t.Parallel()
	server, notes := dial(t, Config{})
	remote := newSlowLine(t, server, 50*time.Millisecond)
	for range 2 {
		join(t, server, upper, func(c *WorkerConfig) { c.URL = remote.url() })
	}
	n, err := Dial(t.Context(), Config{URL: remote.url(), Notice: notes.add})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	s := open(t, n, farm.Work{})
	do(t, s, 200)
	for range 2 {
		time.AfterFunc(100*time.Millisecond, func() { remote.down(0) })
		do(t, s, 2000)
	}
	if c := counts(s); c.Done != 4200 {
		t.Errorf("%+v: want 4200 tasks done over a line that broke", c)
	}
	waitFor(t, func() bool { return notes.has("reconnected to the server") }) // all may be done before what the line held up is restored
}
