package engine

import (
	"bufio"
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"kroo/games/oware"
)

// benchBoards are the positions of Bench, one board a line.
//
//go:embed testdata/bench.txt
var benchBoards string

// benchNodes is what Bench counts.
//
//go:embed testdata/bench.golden
var benchNodes string

const benchDepth = 14

// Signature names the behaviour of the search: two engines with the same
// signature answer alike. It is the node count of Bench; datasets record it.
func Signature() string { return "bench-" + strings.TrimSpace(benchNodes) }

// Bench searches a fixed list of positions to a fixed depth and returns the
// number of positions visited, which is the same on every machine, and the
// time it took. progress, if not nil, is called after every position.
func Bench(progress func(done, total int64)) (nodes int64, elapsed time.Duration) {
	boards := benchPositions()
	s := NewSearcher(Captures, Options{})
	begin := time.Now()
	for i, p := range boards {
		s.Clear()
		r := s.Search(context.Background(), p, nil, Limits{Depth: benchDepth}, Query{})
		nodes += r.Nodes
		if progress != nil {
			progress(int64(i+1), int64(len(boards)))
		}
	}
	return nodes, time.Since(begin)
}

// benchPositions reads the embedded list.
func benchPositions() (list []oware.Position) {
	for sc := bufio.NewScanner(strings.NewReader(benchBoards)); sc.Scan(); {
		p, err := parseBoard(sc.Text())
		if err != nil {
			panic("engine: embedded bench positions: " + err.Error())
		}
		list = append(list, p)
	}
	return list
}

func parseBoard(s string) (oware.Position, error) {
	var h [12]int
	var st [2]int
	var side string
	_, err := fmt.Sscanf(s, "%d-%d-%d-%d-%d-%d-%d-%d-%d-%d-%d-%d-%d-%d-%1s", &h[0], &h[1], &h[2], &h[3], &h[4], &h[5],
		&h[6], &h[7], &h[8], &h[9], &h[10], &h[11], &st[0], &st[1], &side)
	if err != nil {
		return oware.Position{}, err
	}
	to := oware.South
	if side == "N" {
		to = oware.North
	}
	return oware.New(oware.Abapa, h, st, to)
}
