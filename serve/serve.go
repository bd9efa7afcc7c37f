package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"kroo/engine"
	"kroo/internal/vfs"
	"kroo/run/inspect"
)

// Config says what a server serves, and how much of the machine it takes. Zero limits
// are the defaults.
type Config struct {
	Dir         string // folder of the runs, datasets, weights and books to show
	engine.Spec        // of what searches, within the limits below; "" as the book is the program's own

	Games inspect.Games // whose weights there may be

	// Hosts are the names by which the server may be called, in addition to localhost and
	// addresses. A page of another name that leads to this machine gets no answer.
	Hosts []string
	Token string // what visitors have to know, "" for nothing

	Searches int           // at a time; default 2
	HashMB   int           // hash table of each search; default 16
	Nodes    int64         // most of a search, and of a hint a tenth of it; default 2 million without Depth and MoveTime
	Depth    int           // most plies of a search, 0 for no limit
	MoveTime time.Duration // most time of a search, and of a hint a tenth of it; 0 for no limit but the server's
}

func (c Config) withDefaults() Config {
	c.Searches, c.HashMB = cmp.Or(c.Searches, 2), cmp.Or(c.HashMB, 16)
	if c.Depth == 0 && c.MoveTime == 0 {
		c.Nodes = cmp.Or(c.Nodes, 2_000_000)
	}
	return c
}

// maxSearches bounds the searches at a time: more than any machine has processors for.
const maxSearches = 1024

// Check refuses limits that no server can have. Zero limits, which are for the defaults, are
// not among those that it takes.
func (c Config) Check() error {
	if c.Searches < 1 || c.Searches > maxSearches {
		return fmt.Errorf("searches is %d: expected 1 to %d", c.Searches, maxSearches)
	}
	return engine.Config{Nodes: c.Nodes, Depth: c.Depth, MoveTime: engine.Duration{Duration: c.MoveTime}, HashMB: c.HashMB}.Check()
}

// Server answers the requests of browsers.
type Server struct {
	config  Config
	folder  folder
	pool    *pool
	books   shelf
	readers *queue // of those who have large files read and counted
	worker  worker
	handler http.Handler

	beginning sync.Mutex // of requests
	requests  sync.WaitGroup
	done      context.Context // when the server stops
	stop      context.CancelCauseFunc
	closing   sync.Once
	stopped   string // folder of the run that Serve has stopped
}

// Stopped is the folder of the run that was in work when Serve ended, "" for none.
func (s *Server) Stopped() string { return s.stopped }

// New makes a server. It opens the weights and the book, so that a mistake in their
// names is found at once. Close frees them.
func New(c Config) (*Server, error) {
	c = c.withDefaults()
	if err := c.Check(); err != nil {
		return nil, err
	}
	dir, err := vfs.Abs(c.Dir)
	if err != nil {
		return nil, err
	}
	engines, err := newEngines(c)
	if err != nil {
		return nil, err
	}
	s := &Server{
		config: c, folder: folder{dir}, pool: newPool(engines, c.Searches),
		worker:  worker{folder: folder{dir}},
		readers: newQueue(readersAtATime, maxWaiting),
	}
	s.done, s.stop = context.WithCancelCause(context.Background())
	s.handler = s.guard(s.routes())
	return s, nil
}

// readersAtATime is how many requests have large files read and counted at a time.
const readersAtATime = 2

// Limits on connections. A browser opens up to six.
const (
	maxConnections = 1024
	headerTimeout  = 10 * time.Second
	idleTimeout    = time.Minute
	maxHeader      = 4 * maxTree // an address writes a byte as three
	stopTimeout    = 2 * time.Second
)

// Serve answers on a listener until the context is done, then ends the requests in work
// and gives their readers a moment. It closes the listener.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	h := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: headerTimeout, ReadTimeout: time.Minute,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
	}
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(newFairListener(l, maxConnections)) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.stop(errStopping) // ends the requests in work
	if name := s.worker.current(); name != "" {
		s.stopped = filepath.Join(s.config.Dir, name)
	}
	s.worker.stopAny()
	last, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	if err := h.Shutdown(last); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	h.Close() // whoever reads too slowly is given up
	return nil
}

// Close stops what is in work, waits for it to end, and frees the engines. Nothing is
// answered afterwards.
func (s *Server) Close() (err error) {
	s.closing.Do(func() {
		s.beginning.Lock()
		s.stop(errStopping)
		s.beginning.Unlock()
		s.requests.Wait() // and their searches
		s.worker.stopAny()
		s.worker.wait()
		err = s.pool.engines.close()
	})
	return err
}

// kit is the game that the pages show.
var kit = engine.Oware()
