// Kroo-farm is the server of a farm: a NATS server with JetStream, which `train` starts for
// `--farm embedded`, and ends. It is a program of its own because the server is a large
// part of what there is to build, and would slow the start of every command.
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
	signal.Ignore(os.Interrupt, syscall.SIGTERM) // they are train's, which ends what it began
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve serves as the first line says, a configuration of NATS, and answers with its address
// and folder, until the input ends: whoever asked has ended then, however it did. The folder is
// temporary: the coordinator puts everything there that workers need. If this program is killed,
// whoever asked removes it.
func serve(in io.Reader, out io.Writer) (err error) {
	lines := bufio.NewReader(in)
	text, err := lines.ReadString('\n')
	if err != nil {
		return errors.New("`train --farm embedded` starts this program: expected what it says on the standard input")
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
	if o.StoreDir, err = os.MkdirTemp("", "kroo-farm-"); err != nil {
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

// free waits until the address can be had, but not for long: the program of a killed command
// ends soon, and the server would end this one if it cannot listen.
func free(o *server.Options) error {
	const wait = 3 * time.Second
	address := net.JoinHostPort(o.Host, strconv.Itoa(max(o.Port, 0)))
	for end := time.Now().Add(wait); ; time.Sleep(50 * time.Millisecond) {
		l, err := net.Listen("tcp", address)
		if err == nil {
			return l.Close()
		}
		if time.Now().After(end) {
			return fmt.Errorf("cannot listen at %s: %w: name another address, or the server that is there", address, err)
		}
	}
}
