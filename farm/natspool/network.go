package natspool

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"kroo/farm"
	"kroo/internal/plural"
)

// Network is a connection of a coordinator to a server. It is safe for concurrent use.
type Network struct {
	hub
	config Config
	server *program // nil for one elsewhere

	severed chan struct{} // closed if the connection does not come back
	why     error         // then
	living  context.Context
	end     context.CancelFunc // by Close
	ended   sync.WaitGroup

	mu      sync.Mutex
	running map[string]*session
	there   map[string]Beat // workers, by their ids
	waiting map[string]bool // engines: a person was told that they have no workers
}

var _ farm.Network = (*Network)(nil)

// Dial connects a coordinator with a server, and starts it if it is to be embedded.
func Dial(ctx context.Context, c Config) (*Network, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	n := &Network{config: c, severed: make(chan struct{}), running: map[string]*session{}, there: map[string]Beat{}, waiting: map[string]bool{}}
	n.living, n.end = context.WithCancel(context.Background())
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
		if n.server, err = startServer(ctx, c); err != nil {
			return err
		}
		url = n.server.here()
		if own := n.server.certificate; own != nil {
			options = append(options, nats.Secure(trusting(own)))
		}
		n.ended.Go(n.guard)
	}
	options = append(options,
		nats.ReconnectHandler(func(*nats.Conn) { c.notice("farm: the server is back") }),
		nats.DisconnectErrHandler(func(*nats.Conn, error) { n.lost() }),
		nats.ClosedHandler(func(c *nats.Conn) { n.sever(c.LastError()) }))
	if n.conn, err = nats.Connect(url, options...); err != nil {
		return fmt.Errorf("no server at %s: %w: start one, or take %s", redacted(c.URL), err, Embedded)
	}
	if err := n.open(ctx); err != nil {
		return err
	}
	n.ended.Go(n.watch)
	return nil
}

// watch looks after what the farm has at the server until the network is closed.
func (n *Network) watch() {
	begun := time.Now()
	for tick := time.NewTicker(pollEvery); ; {
		select {
		case <-n.living.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		if !n.conn.IsConnected() {
			continue
		}
		n.census()
		if time.Since(begun) < renewEvery {
			continue
		}
		begun = time.Now()
		n.tellOf(n.ensure(n.living))
	}
}

// tellOf tells a person of an error of what is tried again, unless the server is away.
func (n *Network) tellOf(err error) {
	if err != nil && n.living.Err() == nil && n.conn.IsConnected() {
		n.config.notice("farm: %v: trying again", err)
	}
}

// census finds out which workers are there.
func (n *Network) census() {
	list, err := entries(n.living, n.workers)
	if err != nil {
		return // the server is away, or has lost the bucket: it is made again
	}
	now := map[string]Beat{}
	for _, text := range list {
		if b, err := decodeBeat(text); err == nil {
			now[b.ID] = b
		}
	}
	n.mu.Lock()
	before := n.there
	n.there = now
	n.mu.Unlock()
	for id, b := range before {
		if _, there := now[id]; !there {
			n.config.notice("farm: worker %s is gone; what it was at goes to others", b.name())
		}
	}
	for id, b := range now {
		if _, there := before[id]; !there {
			n.config.notice("farm: worker %s is there, %s", b.name(), plural.Of(b.Threads, "thread"))
		}
	}
	for _, s := range n.list() {
		n.tellIfNone(s.work.Engine)
		s.kick()
	}
}

// threads counts the threads of the workers of an engine, and the workers of other engines.
func (n *Network) threads(engine string) (threads, others int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, b := range n.there {
		if b.Engine == engine {
			threads += b.Threads
		} else {
			others++
		}
	}
	return threads, others
}

// tellIfNone says, once, that an engine has no workers.
func (n *Network) tellIfNone(engine string) {
	threads, others := n.threads(engine)
	n.mu.Lock()
	tell := threads == 0 && !n.waiting[engine]
	n.waiting[engine] = threads == 0
	n.mu.Unlock()
	switch {
	case tell && others > 0:
		n.config.notice("farm: no workers of this version: waiting for some; %s of another engine: use the same version", plural.Of(others, "worker"))
	case tell:
		n.config.notice("farm: no workers: waiting for some; they join with: train farm worker %s", n.address())
	}
}

// guard ends all calls if the server ends that the coordinator has started.
func (n *Network) guard() {
	select {
	case <-n.living.Done():
	case <-n.server.ended:
		n.giveUp(fmt.Errorf("the server %s has ended%s: start again; what is finished is kept", serverName, n.server.said()))
	}
}

// lost says that the server is away.
func (n *Network) lost() {
	if n.living.Err() == nil {
		n.config.notice("farm: the server is away; finished work is kept, and goes on when it is back")
	}
}

// sever ends all calls: the connection is closed for good, because the server does not
// take the credentials any more, for example.
func (n *Network) sever(err error) {
	if err == nil {
		err = nats.ErrConnectionClosed
	}
	n.giveUp(fmt.Errorf("the connection with the server at %s is closed for good: %w: start again with credentials that the server takes; what is finished is kept", redacted(n.config.URL), err))
}

// giveUp ends all calls, with the first reason.
func (n *Network) giveUp(why error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.living.Err() == nil && n.why == nil {
		n.why = why
		close(n.severed)
	}
}

// list are the sessions.
func (n *Network) list() []*session {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Collect(maps.Values(n.running))
}

// address is where workers find the server.
func (n *Network) address() string {
	if n.server != nil {
		return n.server.url()
	}
	return n.config.URL
}

// Close ends the sessions and the connection, and stops an embedded server.
func (n *Network) Close() error {
	n.end()
	n.ended.Wait()
	for _, s := range n.list() {
		s.close()
	}
	if n.conn != nil {
		_ = n.conn.FlushTimeout(time.Second) // the last words; workers find out without them too
		n.conn.Close()
	}
	if n.server != nil {
		return n.server.stop()
	}
	return nil
}
