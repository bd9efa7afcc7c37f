package engine

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kroo/games/oware"
)

// benchText holds the positions of Bench, one a line: the board and the number
// of nodes its search takes, blank-separated.
//
//go:embed testdata/bench.txt
var benchText string

// benchDepth is how deep Bench searches.
const benchDepth = 18

// benchCase is a line of benchText.
type benchCase struct {
	position oware.Position
	nodes    int64
}

// benchCases reads benchText. It panics on what cannot be read: the text is
// part of the program.
func benchCases() (list []benchCase) {
	for line := range strings.Lines(benchText) {
		board, count, _ := strings.Cut(strings.TrimSpace(line), " ")
		p, err := oware.ParseBoard(oware.Abapa, board)
		if err != nil {
			panic(fmt.Sprintf("engine: embedded bench positions: %v", err))
		}
		nodes, err := strconv.ParseInt(count, 10, 64)
		if err != nil {
			panic(fmt.Sprintf("engine: embedded bench counts: %v", err))
		}
		list = append(list, benchCase{p, nodes})
	}
	return list
}

// Signature names the behavior of the search: "bench-" and the node count of
// Bench. Programs of the same signature search alike; datasets record it.
func Signature() string {
	var nodes int64
	for _, c := range benchCases() {
		nodes += c.nodes
	}
	return fmt.Sprintf("bench-%d", nodes)
}

// Bench searches a fixed list of oware positions to a fixed depth and returns
// the number of positions visited, which is the same on every machine and part
// of Signature, and the time it took. progress, if not nil, is called after
// each of them.
func Bench(progress func(done, total int64)) (nodes int64, elapsed time.Duration) {
	cases := benchCases()
	s := NewSearcher(Captures, Options{})
	begin := time.Now()
	for i, c := range cases {
		nodes += benchOne(s, c.position)
		if progress != nil {
			progress(int64(i+1), int64(len(cases)))
		}
	}
	return nodes, time.Since(begin)
}

// benchOne counts the nodes of one position.
func benchOne(s *Searcher[oware.Position], p oware.Position) int64 {
	s.Clear()
	return s.Search(context.Background(), p, nil, Limits{Depth: benchDepth}, Query{}).Nodes
}
