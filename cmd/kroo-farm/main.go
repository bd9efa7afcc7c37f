// Kroo-farm is the server of a farm, a NATS server with JetStream. `train --farm embedded`
// starts and stops it. It is a separate program because the server is large, and would slow the
// build and the start of every command.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

func main() {
	signal.Ignore(os.Interrupt, syscall.SIGTERM) // these are for train, which stops its programs
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve runs a NATS server with the configuration in the first line of input, and answers with
// its address and folder. It runs until the input ends, which happens however its parent ends.
// The folder is temporary: the coordinator stores everything there that workers need. If this
// program is killed, its parent removes the folder.
func serve(in io.Reader, out io.Writer) (err error) {
	lines := bufio.NewReader(in)
	text, err := lines.ReadString('\n')
	if err != nil {
		return errors.New("`train --farm embedded` starts this program: expected its settings on the standard input")
	}
	o := &server.Options{NoLog: true, NoSigs: true, DisableJetStreamBanner: true}
	if err := o.ProcessConfigString(text); err != nil {
		return err
	}
	if o.Port == 0 {
		o.Port = server.RANDOM_PORT
	}
	if err := free(o); err != nil {
		return err
	}
	o.StoreDir, err = os.MkdirTemp("", "kroo-farm-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(o.StoreDir)) }()
	s, err := server.NewServer(o)
	if err != nil {
		return err
	}
	s.Start()
	defer s.WaitForShutdown()
	defer s.Shutdown()
	if !s.ReadyForConnections(10 * time.Second) {
		return errors.New("the server does not start")
	}
	if _, err := fmt.Fprintln(out, s.Addr(), o.StoreDir); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, lines)
	return err
}

// free waits for a short time until the address is free: the server of a killed command ends
// soon, and NATS would exit if it could not listen.
func free(o *server.Options) error {
	const wait = 3 * time.Second
	address := net.JoinHostPort(o.Host, strconv.Itoa(max(o.Port, 0)))
	for end := time.Now().Add(wait); ; time.Sleep(50 * time.Millisecond) {
		l, err := net.Listen("tcp", address)
		if err == nil {
			return l.Close()
		}
		if time.Now().After(end) {
			return fmt.Errorf("cannot listen at %s: %w: choose another address, or connect to the server that is running", address, err)
		}
	}
}
