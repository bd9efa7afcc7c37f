package uci_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"strings"

	"kroo/engine"
	"kroo/engine/uci"
)

// A client sends commands through a pipe and waits for the best move.
func Example() {
	commands, in := io.Pipe()
	out, answers := io.Pipe()
	player, err := engine.Open(context.Background(), engine.Oware(), engine.Spec{Weights: "captures", Search: engine.Config{Tables: engine.NoTables}}, "abapa")
	if err != nil {
		log.Fatal(err)
	}
	defer player.Close()
	server, err := uci.New(player, uci.Config{Name: "Kroo"})
	if err != nil {
		log.Fatal(err)
	}
	go func() { answers.CloseWithError(server.Serve(context.Background(), commands, answers)) }()

	// South is to move and has one move, to which North has one reply.
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
