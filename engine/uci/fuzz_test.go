package uci

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"kroo/engine"
	"kroo/internal/testkit"
)

// answers matches all lines of output, including the board.
var answers = regexp.MustCompile(`^(id (name|author) .+|option name .+ type .+|uciok|readyok|info string .+` +
	`|info depth \d+ (multipv [1-6] )?score cp -?\d+ (wdl \d+ \d+ \d+ )?nodes \d+ nps \d+ time \d+ pv (([A-F][a-f])*[A-F]?|([a-f][A-F])*[a-f]?)` +
	`|info nodes \d+ nps \d+ time \d+|bestmove (\(none\)|0000)|bestmove [A-F]( ponder [a-f])?|bestmove [a-f]( ponder [A-F])?` +
	`|   [a-f].*|   A.*|[+][+-]+|[|][ 0-9|]+|North \d+, South \d+, [SN] to move|board [0-9-]+[SN]|rules (abapa|awari|simple|simple-to-end|arena)|moves ([A-F]+|[a-f]+)|a later position was rejected|over .+|evaluation .+)$`)

// FuzzServe sends arbitrary input to an oware service.
func FuzzServe(f *testing.F) {
	fuzzServe(f, "testdata/*.txt", answers, func(t *testing.T) service {
		s := newServer(t, setup{HashMB: 1, Tuning: true})
		s.maxHash = 2
		return s
	})
}

// chessAnswers is answers for chess.
var chessAnswers = regexp.MustCompile(`^(id (name|author) .+|option name .+ type .+|uciok|readyok|info string .+` +
	`|info depth \d+ (multipv \d+ )?score (cp -?\d+|mate -?\d+) nodes \d+ nps \d+ time \d+ pv ([a-h][1-8][a-h][1-8][qrbn]? ?)*` +
	`|info nodes \d+ nps \d+ time \d+|bestmove (\(none\)|0000)|bestmove [a-h][1-8][a-h][1-8][qrbn]?( ponder [a-h][1-8][a-h][1-8][qrbn]?)?` +
	`|( |[1-8]).*|(White|Black) to move(, in check)?|board .+ [wb] .+|rules (full|lamosca)|moves [a-h1-8qrbn ]+|a later position was rejected|over .+|evaluation lamosca)$`)

// FuzzServeChess is FuzzServe for a game whose boards contain blanks.
func FuzzServeChess(f *testing.F) {
	fuzzServe(f, "testdata/chess/*.txt", chessAnswers, func(t *testing.T) service {
		s := plainServer(t, engine.Chess())
		s.maxHash = 2
		return s
	})
}

// fuzzServe sends arbitrary input: the service must write only lines that match answers, answer each go
// with one best move, and return. A timeout limits its searches. Coverage varies between runs, with the
// moment at which a search stops: fuzz with -fuzzminimizetime 10x, or most time goes to minimizing.
func fuzzServe(f *testing.F, transcripts string, answers *regexp.Regexp, serve func(t *testing.T) service) {
	scripts, err := filepath.Glob(transcripts)
	if err != nil || len(scripts) == 0 {
		f.Fatalf("no transcripts: %v", err)
	}
	for _, path := range scripts {
		text := testkit.Read(f, path)
		var commands strings.Builder
		for l := range strings.Lines(string(text)) {
			if c, ok := strings.CutPrefix(l, "> "); ok {
				commands.WriteString(c)
			}
		}
		f.Add([]byte(commands.String()))
	}
	f.Add([]byte("go infinite\ngo ponder movetime 1\nponderhit\nstop\ngo nodes 1"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		ended := serve(t).Serve(ctx, bytes.NewReader(in), &out)
		if ended != nil && !errors.Is(ended, context.DeadlineExceeded) {
			t.Fatal(ended)
		}
		best := 0
		for l := range strings.Lines(out.String()) {
			l = strings.TrimSuffix(l, "\n")
			if !answers.MatchString(l) {
				t.Errorf("unexpected line %q", l)
			}
			if strings.HasPrefix(l, "bestmove") {
				best++
			}
		}
		if gos := countGo(string(in)); best > gos || ended == nil && best < gos {
			t.Errorf("%d best moves for %d go commands", best, gos)
		}
	})
}

// countGo counts the lines with go before quit.
func countGo(in string) (n int) {
	for l := range strings.Lines(in) {
		switch command, _ := cutCommand(strings.TrimSpace(l)); command {
		case "go":
			n++
		case "quit":
			return n
		}
	}
	return n
}
