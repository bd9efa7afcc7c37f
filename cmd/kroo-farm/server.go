package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"kroo/farm/launch"
)

// Bounds of the server.
const (
	serverMemory = 1 << 30         // bytes, of batches
	serverFiles  = 64 << 30        // bytes, of the object store
	freeAfter    = 3 * time.Second // an address, when the program was killed that had it
)

// running is a NATS server. Its files are temporary: the coordinator puts everything there
// that workers need.
type running struct {
	*server.Server
	*folder
}

// start starts a server.
func start(w launch.Server) (*running, error) {
	host, port, err := net.SplitHostPort(w.Listen)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(port)
	if err != nil || number < 0 || number > 65535 {
		return nil, fmt.Errorf("listen at %s: expected a port from 0 to 65535", w.Listen)
	}
	if number == 0 {
		number = server.RANDOM_PORT
	}
	o := &server.Options{
		ServerName: "kroo", Host: host, Port: number, NoLog: true, NoSigs: true, DisableJetStreamBanner: true,
		JetStream: true, JetStreamMaxMemory: serverMemory, JetStreamMaxStore: serverFiles,
		MaxPayload: int32(w.MaxMessage), Authorization: w.Token, PingInterval: 5 * time.Second, MaxPingsOut: 3,
	}
	if w.Key != "" {
		o.Nkeys = []*server.NkeyUser{{Nkey: w.Key}}
	}
	if w.Cert != "" {
		pair, err := tls.LoadX509KeyPair(w.Cert, w.CertKey)
		if err != nil {
			return nil, fmt.Errorf("the server's certificate: %w", err)
		}
		o.TLS, o.TLSTimeout = true, 5
		o.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	if err := free(w.Listen); err != nil {
		return nil, fmt.Errorf("cannot listen at %s: %w: name another address, or the server that is there", w.Listen, err)
	}
	sweepFolders()
	dir, err := newFolder()
	if err != nil {
		return nil, fmt.Errorf("a folder for the server: %w", err)
	}
	o.StoreDir = dir.name
	s, err := server.NewServer(o)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the server: %w", err), dir.remove())
	}
	s.Start()
	r := &running{s, dir}
	if !s.ReadyForConnections(10 * time.Second) {
		return nil, errors.Join(errors.New("the server does not start"), r.stop())
	}
	return r, nil
}

// free waits until an address can be had, but not for long: the server would end the
// program if it cannot.
func free(address string) error {
	for end := time.Now().Add(freeAfter); ; time.Sleep(50 * time.Millisecond) {
		l, err := net.Listen("tcp", address)
		if err == nil {
			return l.Close()
		}
		if time.Now().After(end) {
			return err
		}
	}
}

func (r *running) stop() error {
	r.Shutdown()
	r.WaitForShutdown()
	return r.remove()
}
