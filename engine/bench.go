package engine

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kroo/engine/search"
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/parallel"
)

// benchText lists the positions of Bench, one per line: the board, the node count of its search,
// and that of a search with fitted weights, separated by blanks.
//
//go:embed testdata/bench.txt
var benchText string

// benchDepth is the search depth of Bench.
const benchDepth = 22

// fittedDepth is the search depth with fitted weights.
const fittedDepth = 14

// captures is what Bench evaluates with.
var captures = search.Knowledge[oware.Position]{Eval: owarefeatures.Captures{}, LastPly: owarefeatures.Captures{}}

// benchCase is a line of benchText.
type benchCase struct {
	position oware.Position
	nodes    int64
	fitted   int64 // nodes of the search with fitted weights
}

// benchCases parses benchText. It panics on errors: the text is part of the program.
func benchCases() (list []benchCase) {
	for line := range strings.Lines(benchText) {
		words := strings.Fields(line)
		if len(words) != 3 {
			panic(fmt.Sprintf("engine: embedded bench positions: %q: expected a board and two counts", line))
		}
		p, err := oware.ParseBoard(oware.Abapa, words[0])
		if err != nil {
			panic(fmt.Sprintf("engine: embedded bench positions: %v", err))
		}
		nodes, err := strconv.ParseInt(words[1], 10, 64)
		fitted, err2 := strconv.ParseInt(words[2], 10, 64)
		if err := errors.Join(err, err2); err != nil {
			panic(fmt.Sprintf("engine: embedded bench counts: %v", err))
		}
		list = append(list, benchCase{p, nodes, fitted})
	}
	return list
}

// Signature identifies the behaviour of the search, for files and journals: "bench-N-M". N is the node
// count of Bench, which evaluates by captures; M that of the same positions with the published four
// weights of the thesis, since fitted weights are searched differently (see [search.Tuning]). The
// program's default weights do not affect it.
//
// It adds up the counts in testdata/bench.txt. A test compares these with searches, and its flag
// -update writes them.
func Signature() string {
	var nodes, fitted int64
	for _, c := range benchCases() {
		nodes += c.nodes
		fitted += c.fitted
	}
	return fmt.Sprintf("bench-%d-%d", nodes, fitted)
}

// BenchConfig changes what Bench searches. The zero value gives the first number of Signature.
type BenchConfig struct {
	Options search.Options
	Depth   int // plies; 0 means benchDepth
}

// BenchResult is the cost of searching one position.
type BenchResult struct {
	Position oware.Position
	Nodes    int64
	Time     time.Duration
}

// Bench searches a fixed list of oware positions to a fixed depth, each from an empty hash table.
// With the zero config the node counts are the same on every machine, and their sum is the first
// number of Signature. When
// the context is done, it returns the context's error. progress is called at the start and after
// each position.
func Bench(ctx context.Context, c BenchConfig, progress parallel.Progress) ([]BenchResult, error) {
	cases := benchCases()
	s := search.NewSearcher(captures, c.Options)
	var results []BenchResult
	progress.At(0, int64(len(cases)))
	for i, at := range cases {
		begin := time.Now()
		nodes := benchOne(ctx, s, at.position, cmp.Or(c.Depth, benchDepth))
		if err := ctx.Err(); err != nil {
			return results, err
		}
		results = append(results, BenchResult{at.position, nodes, time.Since(begin)})
		progress.At(int64(i+1), int64(len(cases)))
	}
	return results, nil
}

// benchOne returns the node count of one position.
func benchOne(ctx context.Context, s *search.Searcher[oware.Position], p oware.Position, depth int) int64 {
	s.Clear()
	return s.Search(ctx, p, nil, search.Limits{Depth: depth}, search.Query{}).Nodes
}
