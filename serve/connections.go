package serve

import (
	"net"
	"sync"
)

// limitConnections is a listener with at most n open connections: the next one waits
// until another closes.
func limitConnections(l net.Listener, n int) net.Listener {
	return &limited{Listener: l, room: make(chan struct{}, n), closed: make(chan struct{})}
}

type limited struct {
	net.Listener
	room   chan struct{}
	closed chan struct{}
	once   sync.Once
}

func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.room <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.room
		return nil, err
	}
	return &connection{Conn: c, leave: func() { <-l.room }}, nil
}

func (l *limited) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// connection makes room when it is closed.
type connection struct {
	net.Conn
	once  sync.Once
	leave func()
}

func (c *connection) Close() error {
	defer c.once.Do(c.leave)
	return c.Conn.Close()
}
