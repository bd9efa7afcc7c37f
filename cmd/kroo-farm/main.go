// Kroo-farm is the server of a farm: a NATS server with JetStream, which `train` starts for
// `--farm embedded`, and ends. It is a program of its own because the server is a large
// part of what there is to build, and few commands need it.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"kroo/farm/launch"
)

func main() {
	signal.Ignore(os.Interrupt, syscall.SIGTERM) // they are train's, which ends what it began
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "kroo-farm: %v\n", err)
		os.Exit(1)
	}
}

// serve serves what is asked for in the first line, and answers in one, until the input
// ends: whoever asked has ended then, however it did.
func serve(in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	text, err := lines.ReadBytes('\n')
	var wanted launch.Server
	if err == nil {
		err = json.Unmarshal(text, &wanted)
	}
	if err != nil {
		return errors.New("`train --farm embedded` starts this program: expected what it says on the standard input")
	}
	s, err := start(wanted)
	if err != nil {
		return json.NewEncoder(out).Encode(launch.Served{Error: err.Error()})
	}
	if err := json.NewEncoder(out).Encode(launch.Served{Address: s.Addr().String()}); err != nil {
		return errors.Join(err, s.stop())
	}
	_, err = io.Copy(io.Discard, lines)
	return errors.Join(err, s.stop())
}
