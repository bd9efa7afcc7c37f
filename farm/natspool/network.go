package natspool

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"kroo/farm"
	"kroo/internal/wording"
)

// Network is a coordinator's connection to a server. It is safe for concurrent use.
type Network struct {
	hub
	config Config
	server *program // nil for an external server

	living   context.Context // until Close or a permanent failure
	end      context.CancelCauseFunc
	ended    sync.WaitGroup
	rejected atomic.Bool // a notice about rejected tasks has been given

	mu      sync.Mutex
	running map[string]*dispatcher // by session
}

var _ farm.Network = (*Network)(nil)

var errClosed = errors.New("the farm is closed")

// Dial connects a coordinator to a server, starting it first if it is embedded.
func Dial(ctx context.Context, c Config) (*Network, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	n := &Network{config: c, running: map[string]*dispatcher{}}
	n.living, n.end = context.WithCancelCause(context.Background())
	if err := n.dial(ctx); err != nil {
		return nil, errors.Join(err, n.Close())
	}
	if n.server != nil {
		c.notice("farm: workers join with: train farm worker %s", n.address())
	}
	return n, nil
}

func (n *Network) dial(ctx context.Context) error {
	c := n.config
	options, err := c.options()
	if err != nil {
		return err
	}
	url := c.URL
	if c.URL == Embedded {
		n.server, err = startServer(ctx, c)
		if err != nil {
			return err
		}
		url = n.server.at(n.server.address) // local address, even if it listens on all
		if own := n.server.certificate; own != nil {
			options = append(options, nats.Secure(trustOnly(own)))
		}
		n.ended.Go(n.guard)
	}
	options = append(options,
		nats.ReconnectHandler(func(*nats.Conn) { c.notice("farm: reconnected to the server") }),
		nats.DisconnectErrHandler(func(*nats.Conn, error) {
			if n.living.Err() == nil {
				c.notice("farm: lost the connection to the server: reconnecting; finished work is kept")
			}
		}),
		nats.ClosedHandler(func(conn *nats.Conn) {
			n.end(fmt.Errorf("the connection to the server at %s was closed: %w: start again with credentials that "+
				"the server accepts; finished work is kept",
				c.URL, errors.Join(conn.LastError())))
		}))
	n.conn, err = nats.Connect(url, options...)
	if err != nil {
		return fmt.Errorf("no server at %s: %w: start one, or use %s", c.URL, err, Embedded)
	}
	n.js, err = jetstream.New(n.conn, jetstream.WithPublishAsyncErrHandler(n.publishFailed))
	if err != nil {
		return err
	}
	if err := n.ensure(ctx); err != nil {
		return err
	}
	n.ended.Go(n.watch)
	return nil
}

// guard ends all calls if the embedded server ends.
func (n *Network) guard() {
	select {
	case <-n.living.Done():
	case <-n.server.ended:
		n.end(fmt.Errorf("the server %s ended%s: start again; finished work is kept", serverName, n.server.outputText()))
	}
}

// publishFailed is called for a task that the server rejects. [dispatcher.republishLost] will find it
// missing there.
func (n *Network) publishFailed(_ jetstream.JetStream, _ *nats.Msg, err error) {
	if n.conn.IsConnected() && !errors.Is(err, nats.ErrDisconnected) && !n.rejected.Swap(true) {
		n.config.notice("farm: the server rejects tasks: %v: republishing them", err)
	}
}

// watch monitors workers, sessions and the farm's objects on the server.
func (n *Network) watch() {
	for tick := time.NewTicker(renewEvery); ; {
		select {
		case <-n.living.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		if !n.conn.IsConnected() {
			continue
		}
		n.rejected.Store(false)
		n.noticeOf(n.ensure(n.living))
		n.noticeOf(n.census())
		for _, d := range n.list() {
			n.noticeOf(d.renew())
		}
	}
}

// census records the workers of each session, and reports the number of their threads when it changes.
func (n *Network) census() error {
	beats := map[string][]Beat{} // by engines
	add := func(b Beat) { beats[b.Engine] = append(beats[b.Engine], b) }
	if err := entries(n.living, n.keys, workerKeys, add); err != nil {
		return err
	}
	for _, d := range n.list() {
		threads, changed := d.setWorkers(beats[d.Engine])
		switch {
		case !changed:
		case threads == 0:
			n.config.notice("farm: waiting for workers with the engine %s; they join with: train farm worker %s",
				d.Engine, n.address())
		default:
			n.config.notice("farm: workers have %s", wording.Count(threads, "thread"))
		}
	}
	return nil
}

// noticeOf reports an error of a repeated attempt, unless the server is away.
func (n *Network) noticeOf(err error) {
	if err != nil && n.living.Err() == nil && n.conn.IsConnected() {
		n.config.notice("farm: %v: retrying", err)
	}
}

func (n *Network) list() []*dispatcher {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Collect(maps.Values(n.running))
}

func (n *Network) address() string {
	if n.server != nil {
		return n.server.url()
	}
	return n.config.URL
}

// Close ends the sessions and the connection, and stops an embedded server.
func (n *Network) Close() error {
	n.end(errClosed)
	n.ended.Wait()
	for _, d := range n.list() {
		d.close()
	}
	if n.conn != nil {
		_ = n.conn.FlushTimeout(time.Second) // best effort: workers detect the end without it
		n.conn.Close()
	}
	if n.server != nil {
		return n.server.stop()
	}
	return nil
}
