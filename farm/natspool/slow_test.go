package natspool

import (
	"context"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kroo/farm"
	"kroo/internal/testkit"
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
	u := testkit.Must(url.Parse(to.address()))(t)
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
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
	n := testkit.Must(Dial(t.Context(), Config{URL: remote.url(), Notice: notes.add}))(t)
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

// A server that comes back with other credentials does not take the coordinator back.
func TestAConnectionThatIsClosedForGoodEndsCalls(t *testing.T) {
	t.Parallel()
	token := testkit.File(t, "token", "a-token-of-this-farm")
	first := testkit.Must(startServer(t.Context(), Config{Listen: "127.0.0.1:0", Credentials: token}))(t)
	address := first.url()
	n := testkit.Must(Dial(t.Context(), Config{URL: address, Credentials: token}))(t)
	s := open(t, n, farm.Work{})
	time.AfterFunc(100*time.Millisecond, func() {
		if err := first.stop(); err != nil {
			t.Error(err)
		}
		second, err := startServer(t.Context(), Config{Listen: strings.TrimPrefix(address, "nats://"), Credentials: testkit.File(t, "other", "a-token-of-another-farm")})
		if err != nil {
			t.Error(err)
			return
		}
		t.Cleanup(func() {
			if err := second.stop(); err != nil {
				t.Error(err)
			}
		})
	})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	const want = "was closed: nats: Authorization Violation"
	if err := s.do(ctx, tasks(3, nil)); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v: want %q in it", err, want)
	}
	_, err := n.begin(ctx, farm.Work{Engine: someEngine, Deadline: time.Minute})
	testkit.ErrorContains(t, err, want)
	testkit.NoError(t, n.Close())
}

// A line that breaks is no server that has lost its tasks: they are not published again.
func TestStoredTasksAreNotRepublished(t *testing.T) {
	t.Parallel()
	server, _ := dial(t, Config{})
	line := newSlowLine(t, server, 0)
	notes := &notices{}
	n := testkit.Must(Dial(t.Context(), Config{URL: line.url(), Notice: notes.add}))(t)
	defer n.Close()
	hold := make(chan struct{})
	var tried atomic.Int32
	join(t, server, func(ctx context.Context, task []byte) ([]byte, error) {
		tried.Add(1)
		<-hold
		return upper(ctx, task)
	})
	s := open(t, n, farm.Work{})
	go func() {
		defer close(hold)
		waitFor(t, func() bool { return workers(n) == 1 && s.status().Queue == 20 })
		line.down(0)
		waitFor(t, func() bool { return notes.has("reconnected to the server") })
		time.Sleep(renewEvery + renewEvery/2)
	}()
	do(t, s, 20)
	if c := counts(s); c.Republished > 0 || tried.Load() != 20 {
		t.Errorf("%+v, tried %d times: want no task done twice", c, tried.Load())
	}
}
