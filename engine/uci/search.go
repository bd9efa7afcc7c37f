package uci

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kroo/engine/search"
	"kroo/games/oware"
)

// run is a go command on its way to its bestmove.
type run struct {
	infinite  bool
	pondering bool
	hit       chan struct{} // closed at ponderhit: the clock begins to count
	cancel    context.CancelFunc
	found     chan answer // receives the answer of the search
	answer    *answer     // nil while searching
}

// answer is what bestmove says.
type answer struct{ best, ponder string }

// noMove is the best move of a game that is over.
const noMove = "(none)"

// search carries out go.
func (c *session) search(ctx context.Context, text string) error {
	o, err := parseGo(text, c.game.Position(), time.Duration(c.overhead)*time.Millisecond)
	if err != nil {
		return err
	}
	c.stop()
	r := &run{infinite: o.infinite, pondering: o.ponder, cancel: func() {}}
	c.run = r
	if best, ok := c.atOnce(o); ok {
		r.answer = &answer{best: best}
		c.settle()
		return nil
	}
	ctx, r.cancel = context.WithCancel(ctx)
	r.found = make(chan answer, 1)
	c.prepare(o.limits.Mate > 0)
	q := c.query(o)
	if o.ponder {
		r.hit = make(chan struct{})
		q.hit = r.hit
	}
	go think(ctx, c.searcher, c.game.Clone(), q, c.out, r.found)
	return nil
}

// atOnce answers without a search.
func (c *session) atOnce(o order) (best string, ok bool) {
	if _, reason, over := c.game.Over(); over {
		south, north := c.game.Stores()
		c.out.note("the game is over by %s: south %g, north %g", reason, south, north)
		return noMove, true
	}
	if o.infinite || o.only != nil || o.limits.Mate > 0 || c.analyse {
		return "", false
	}
	return c.fromBook()
}

// question is what a search is asked.
type question struct {
	order
	hit      <-chan struct{} // nil unless pondering
	contempt int
	lines    int  // how many best lines are told
	wdl      bool // tell the chances as well
}

// query is the question under the options in force. A searcher that takes
// draws for better or worse than level knows them for one player only.
func (c *session) query(o order) question {
	q := question{order: o, contempt: c.contempt, lines: c.lines, wdl: c.wdl}
	if !c.drawSearch && q.contempt == 0 {
		q.contempt = drawAversion
	}
	if c.analyse {
		q.contempt = 0
	}
	if side := c.game.Position().ToMove(); q.contempt != 0 && side != c.contemptFor {
		c.searcher.Clear()
		c.contemptFor = side
	}
	return q
}

// think is the goroutine of a search. It owns the searcher until it has sent
// its answer.
func think(ctx context.Context, s *search.Searcher[oware.Position], g *oware.Game, q question, out *output, found chan<- answer) {
	root := g.Position()
	r := s.Search(ctx, root, g.History(), q.limits, search.Query{
		Only:     q.only,
		AllMoves: q.lines > 1,
		Contempt: q.contempt,
		Ponder:   q.hit,
		Info: func(r search.Result) {
			for i := range min(q.lines, len(r.Lines)) {
				out.line("%s", infoLine(root, r, i, q))
			}
		},
	})
	if n := q.limits.Mate; n > 0 && r.Score < search.Win-(2*n-1) {
		doubt := ""
		if r.Stopped {
			doubt = " so far"
		}
		out.note("mate %d: no such win%s", n, doubt)
	}
	a := answer{best: letters(root, r.Best)}
	if len(r.PV) > 1 {
		a.ponder = oware.MoveName(r.PV[1], root.ToMove().Other())
	}
	found <- a
}

// infoLine describes the i-th best line of a finished iteration.
func infoLine(root oware.Position, r search.Result, i int, q question) string {
	b := []byte("info depth ")
	b = strconv.AppendInt(b, int64(r.Depth), 10)
	if q.lines > 1 {
		b = append(b, " multipv "...)
		b = strconv.AppendInt(b, int64(i+1), 10)
	}
	b = append(b, " score cp "...)
	b = strconv.AppendInt(b, int64(r.Lines[i].Score), 10)
	if q.wdl {
		win, draw, loss := chances(r.Lines[i].Score)
		b = fmt.Appendf(b, " wdl %d %d %d", win, draw, loss)
	}
	b = append(b, " nodes "...)
	b = strconv.AppendInt(b, r.Nodes, 10)
	b = append(b, " nps "...)
	b = strconv.AppendInt(b, int64(float64(r.Nodes)/max(r.Time, time.Microsecond).Seconds()), 10)
	b = append(b, " time "...)
	b = strconv.AppendInt(b, r.Time.Milliseconds(), 10)
	return string(b) + " pv " + pvText(root.ToMove(), r.Lines[i].PV)
}

// pvText names moves that are played in turn.
func pvText(side oware.Side, pv []search.Move) string {
	var b strings.Builder
	for _, m := range pv {
		b.WriteString(oware.MoveName(m, side))
		side = side.Other()
	}
	return b.String()
}

// found is where the answer of a running search comes from, nil if none runs.
func (c *session) found() <-chan answer {
	if c.run == nil || c.run.answer != nil {
		return nil
	}
	return c.run.found
}

// settle sends the best move if there is one and nothing holds it back. The
// session is idle before the client can know it.
func (c *session) settle() {
	r := c.run
	if r.answer == nil || r.infinite || r.pondering {
		return
	}
	r.cancel()
	c.run = nil
	if r.answer.ponder == "" {
		c.out.line("bestmove %s", r.answer.best)
		return
	}
	c.out.line("bestmove %s ponder %s", r.answer.best, r.answer.ponder)
}

// stop ends the search, if one runs, and sends its best move.
func (c *session) stop() {
	r := c.run
	if r == nil {
		return
	}
	r.cancel()
	if r.answer == nil {
		a := <-r.found
		r.answer = &a
	}
	r.infinite, r.pondering = false, false
	c.settle()
}

// ponderHit turns pondering into a search under the clock.
func (c *session) ponderHit() error {
	r := c.run
	if r == nil || !r.pondering {
		return errors.New("no pondering search is running: expected go ponder before")
	}
	r.pondering = false
	if r.hit != nil {
		close(r.hit)
	}
	c.settle()
	return nil
}
