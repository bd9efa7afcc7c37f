package uci

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"kroo/engine"
	"kroo/internal/testkit"
)

// After readyok the system has provided the whole hash table, also one of another size, and one asked for while a move
// of the book is held back: a search does not wait for pages.
func TestNoMemoryIsAllocatedAfterReadyok(t *testing.T) {
	c := dial(t, ctx, newServer(t, setup{HashMB: 1, Tables: engine.NoTables}))
	for _, commands := range [][]string{
		{"setoption name Hash value 64"},
		{"setoption name Hash value 96"},
		{"setoption name Hash value 128", "setoption name OwnBook value true", "go ponder"},
	} {
		debug.FreeOSMemory()
		c.ask(commands...)
		before := residentMB(t)
		c.send("stop", "go nodes 200000 searchmoves A") // not from the book
		c.until("bestmove A")
		if grown := residentMB(t) - before; grown > 8 {
			t.Errorf("%s: the first search after readyok takes %d MiB of memory", commands[0], grown)
		}
	}
}

// residentMB returns the memory of this process that the system has provided.
func residentMB(t *testing.T) int {
	t.Helper()
	var size, resident int // in pages
	_, err := fmt.Fscan(strings.NewReader(string(testkit.Read(t, "/proc/self/statm"))), &size, &resident)
	testkit.NoError(t, err)
	return resident * os.Getpagesize() >> 20
}
