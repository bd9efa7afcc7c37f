// Package serve is the web server of the program: a board to play and analyse on, and pages of
// opening books, datasets, weights, other files, and training runs.
//
// [New] returns a [Server]; [Server.Serve] serves a listener until its context is done. Pages, style
// and scripts are embedded in the program and load nothing from elsewhere. The state of a game is in
// the browser: every request contains the rules, the first position and the moves, so the server keeps
// no games and the address of a page can be shared.
//
// A file is described by package run/inspect, as for train inspect, and rendered by package report.
//
// The load from visitors is limited. A few searches run at a time, each with limits of nodes and time;
// others wait in a fair queue. Connections, uploads and slow readers have limits. Files are read from
// one folder. One run is in progress at a time, and a new run has the settings of a preset. If other
// machines can reach the server, it requires a token.
//
// Caveats: the board is oware's. There is no encryption: put a proxy with TLS in front of a server on
// an untrusted network.
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
	"kroo/engine/search"
	"kroo/internal/vfs"
	"kroo/run/inspect"
)

// Config configures a server. Zero limits mean the defaults.
type Config struct {
	Dir string // folder of the runs and files to show

	// Spec is what searches. The limits are those of a search, ten times those of a hint: by default two
	// million nodes, with 16 MiB of hash. The book "" is the embedded one.
	engine.Spec
	Searches int // simultaneous searches; default 2

	Games inspect.Games // games whose files can be shown

	// Hosts are the names that requests may use for the server, in addition to localhost and IP
	// addresses. Requests for other names are refused.
	Hosts []string
	Token string // required from visitors; "" for none
}

// Limits of searches: the most at a time, more than any machine has processors, and the default.
const (
	maxSearches  = 1024
	DefaultNodes = 2_000_000
)

func (c Config) withDefaults() Config {
	c.Searches, c.Search.HashMB = cmp.Or(c.Searches, 2), cmp.Or(c.Search.HashMB, 16)
	if c.Search.Limits() == (search.Limits{}) {
		c.Search.Nodes = DefaultNodes
	}
	return c
}

// Check returns an error if a limit is out of range. Zero is out of range where it means a default.
func (c Config) Check() error {
	if c.Searches < 1 || c.Searches > maxSearches {
		return fmt.Errorf("searches is %d: expected 1 to %d", c.Searches, maxSearches)
	}
	return c.Search.Check()
}

// Server serves the pages.
type Server struct {
	config  Config
	folder  folder
	engines *sharedEngines
	books   shelf
	readers *queue // of requests that read large files
	worker  worker
	handler http.Handler

	open    sync.RWMutex    // locked for reading by requests, and for writing by Close
	done    context.Context // ends when the server stops
	stop    context.CancelCauseFunc
	closing sync.Once
	stopped string // see StoppedRun
}

// StoppedRun returns the folder of the run that was in progress when Serve ended; "" if there was none.
func (s *Server) StoppedRun() string { return s.stopped }

// New returns a server. It opens the weights and the book, so that a wrong name is an error at once.
// Close frees them.
func New(c Config) (*Server, error) {
	c = c.withDefaults()
	if err := c.Check(); err != nil {
		return nil, err
	}
	dir, err := vfs.Abs(c.Dir)
	if err != nil {
		return nil, err
	}
	searchers, err := newSharedEngines(c)
	if err != nil {
		return nil, err
	}
	s := &Server{
		config: c, folder: folder{dir}, engines: searchers,
		worker:  worker{folder: folder{dir}},
		readers: newQueue(readersAtATime, maxWaiting),
	}
	s.done, s.stop = context.WithCancelCause(context.Background())
	s.handler = s.guard(s.routes())
	return s, nil
}

// readersAtATime is the number of requests that may read large files at the same time.
const readersAtATime = 2

// Limits on connections, each with one request at a time. A browser opens up to six.
const (
	maxConnections = 1024
	headerTimeout  = 10 * time.Second
	idleTimeout    = time.Minute
	maxHeader      = 4 * maxTree // an address encodes a byte as up to three

	// stopTimeout is for answers that are read slowly. It is shorter than the 1.6 seconds after which
	// package commands ends a program that was asked to stop.
	stopTimeout = time.Second
)

// Serve serves a listener until the context is done. Then it cancels the requests and waits a moment
// for their answers to be read. It closes the listener.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	connections := newPlaces(maxConnections)
	h := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: headerTimeout, ReadTimeout: time.Minute,
		IdleTimeout:    idleTimeout,
		MaxHeaderBytes: maxHeader,
		ConnState:      connections.count,
	}
	h.RegisterOnShutdown(connections.closeSilent)
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.stop(errStopping)
	if name := s.worker.current(); name != "" {
		s.stopped = filepath.Join(s.config.Dir, name)
	}
	s.worker.stopAny()
	last, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	if err := h.Shutdown(last); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	h.Close() // of connections that are read too slowly
	return nil
}

// Close cancels requests and a run, waits for them to end, and frees the engines. Later requests are
// refused.
func (s *Server) Close() (err error) {
	s.closing.Do(func() {
		s.stop(errStopping)
		s.open.Lock() // when requests and their searches have ended, and for good
		s.worker.stopAny()
		s.worker.running.Wait()
		err = s.engines.close()
	})
	return err
}

// kit is the game of the pages.
var kit = engine.Oware()
