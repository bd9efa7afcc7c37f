package serve

import (
	"net"
	"sync"
)

// places limits how many requests or connections there are at a time. A host may take as many places
// as it leaves free: no number of hosts takes them all.
type places struct {
	taken chan struct{}
	mu    sync.Mutex
	hosts map[string]int // places that each has taken
}

func newPlaces(most int) *places {
	return &places{taken: make(chan struct{}, most), hosts: map[string]int{}}
}

// enter takes a place for a host, if it may have one.
func (p *places) enter(host string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hosts[host] >= cap(p.taken)-len(p.taken) {
		return false
	}
	p.taken <- struct{}{}
	p.hosts[host]++
	return true
}

func (p *places) leave(host string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	<-p.taken
	if p.hosts[host]--; p.hosts[host] == 0 {
		delete(p.hosts, host)
	}
}

// close waits until all have left, and lets nobody enter.
func (p *places) close() {
	for range cap(p.taken) {
		p.taken <- struct{}{}
	}
}

// shared is a listener whose connections have places. One for which there is none is closed at
// once, so that those who open many, and say nothing, shut out nobody but themselves.
type shared struct {
	net.Listener
	*places
}

func (s shared) Accept() (net.Conn, error) {
	for {
		c, err := s.Listener.Accept()
		if err != nil {
			return nil, err
		}
		host := hostOf(c.RemoteAddr().String())
		if s.enter(host) {
			return &placed{c, sync.OnceFunc(func() { s.leave(host) })}, nil
		}
		c.Close()
	}
}

// placed is a connection that has a place until it is closed.
type placed struct {
	net.Conn
	leave func()
}

func (c *placed) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
