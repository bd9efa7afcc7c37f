package natspool

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Bounds of a server inside.
const (
	serverMemory = 1 << 30  // bytes, of both streams
	serverFiles  = 64 << 30 // bytes, of the object store
)

// embedded is a NATS server inside this program. Its files are temporary: the
// coordinator puts everything there that workers need.
type embedded struct {
	*server.Server
	*folder
}

func startServer(c Config) (*embedded, error) {
	host, port, err := net.SplitHostPort(c.listen())
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(port)
	if err != nil || number < 0 || number > 65535 {
		return nil, fmt.Errorf("listen at %s: expected a port from 0 to 65535", c.listen())
	}
	if number == 0 {
		number = server.RANDOM_PORT
	}
	who, err := readCredentials(c.Credentials)
	if err != nil {
		return nil, err
	}
	sweepFolders()
	dir, err := newFolder()
	if err != nil {
		return nil, fmt.Errorf("a folder for the server: %w", err)
	}
	o := &server.Options{
		ServerName: "kroo", Host: host, Port: number, NoLog: true, NoSigs: true, DisableJetStreamBanner: true,
		JetStream: true, StoreDir: dir.name, JetStreamMaxMemory: serverMemory, JetStreamMaxStore: serverFiles,
		MaxPayload: maxMessage, Authorization: who.token, PingInterval: 5 * time.Second, MaxPingsOut: 3,
	}
	if who.key != nil {
		public, err := who.key.PublicKey()
		if err != nil {
			return nil, errors.Join(err, dir.remove())
		}
		o.Nkeys = []*server.NkeyUser{{Nkey: public}}
	}
	if o.TLSConfig, err = c.certificate(); err != nil {
		return nil, errors.Join(err, dir.remove())
	}
	o.TLS = o.TLSConfig != nil
	if o.TLS {
		o.TLSTimeout = 5
	}
	s, err := server.NewServer(o)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the server: %w", err), dir.remove())
	}
	// A server that cannot listen ends the program: find out before.
	if l, err := net.Listen("tcp", c.listen()); err != nil {
		return nil, errors.Join(fmt.Errorf("cannot listen at %s: %w: name another address, or the server that is there", c.listen(), err), dir.remove())
	} else if err := l.Close(); err != nil {
		return nil, errors.Join(err, dir.remove())
	}
	s.Start()
	e := &embedded{s, dir}
	if !s.ReadyForConnections(10 * time.Second) {
		return nil, errors.Join(errors.New("the server inside does not start"), e.stop())
	}
	return e, nil
}

// url is where workers find the server.
func (e *embedded) url(tls bool) string {
	if tls {
		return "tls://" + e.Addr().String()
	}
	return "nats://" + e.Addr().String()
}

func (e *embedded) stop() error {
	e.Shutdown()
	e.WaitForShutdown()
	return e.remove()
}
