package uci_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"strings"

	"kroo/engine/uci"
)

// A client sends commands through a pipe and waits for the best move.
func Example() {
	commands, in := io.Pipe()
	out, answers := io.Pipe()
	go func() {
		err := uci.New(uci.Config{Name: "Kroo", Tables: "none"}).Serve(context.Background(), commands, answers)
		answers.CloseWithError(err)
	}()

	// South, to move, has one move, and North one answer.
	fmt.Fprintln(in, "position fen 0-0-0-0-0-1-1-0-0-0-0-12-14-20-S")
	fmt.Fprintln(in, "go depth 2")
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "bestmove") {
			fmt.Println(lines.Text())
			fmt.Fprintln(in, "quit")
		}
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
	// Output: bestmove F ponder f
}
