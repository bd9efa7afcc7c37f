package dropout

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/journal"
)

// logKind changes with the format or meaning of the log.
const logKind = "kroo-dropout 5"

// logHeader is what the searches of a log depend on. The choice of positions is not part of it: a
// log serves any width, ω, root and sides.
type logHeader struct {
	Rules  string        `json:"rules"`
	Limits search.Limits `json:"limits"`
	Engine string        `json:"engine"`
}

func (c Config) logHeader() logHeader {
	return logHeader{c.Rules.String(), c.Limits, c.Engine}
}

// finished is one record of the log: a position and its search.
type finished struct {
	pos oware.Position
	engine.Answer
}

// found returns the part of a search result that the graph keeps.
func (f finished) found() (found, error) {
	score, proven := int16(f.Steady), f.Proven || search.Proven(f.Score)
	err := f.Check()
	if err == nil && search.Proven(f.Steady) != proven && score != 0 {
		err = fmt.Errorf("score %d and proven %t contradict each other", score, proven)
	}
	if err != nil {
		return found{}, fmt.Errorf("search of %s: %w", f.pos, err)
	}
	return found{nodes: f.Nodes, score: score, proven: proven}, nil
}

// codec writes the position's key as a varint before the answer.
func (c Config) codec() journal.Codec[finished] {
	return journal.Codec[finished]{
		Append: func(b []byte, f finished) ([]byte, error) {
			return f.Answer.Append(binary.AppendVarint(b, f.pos.BookKey())), nil
		},
		Decode: func(b []byte) (f finished, err error) {
			key, n := binary.Varint(b)
			if n <= 0 {
				return f, errors.New("not a search: expected a position")
			}
			if f.pos, err = oware.FromBookKey(c.Rules, key); err != nil {
				return f, err
			}
			var rest []byte
			if f.Answer, rest, err = engine.ParseAnswer(b[n:]); err == nil && len(rest) > 0 {
				err = errors.New("not a search: expected one answer")
			}
			return f, err
		},
	}
}

func newBuilder(cfg Config) *builder {
	return &builder{
		cfg: cfg, graph: newGraph(cfg), results: map[int64]found{}, asked: map[int64]bool{},
		answers: make(chan finished, cfg.Width*oware.Houses),
	}
}

// open makes a builder that resumes from the log of a configuration.
func open(cfg Config) (*builder, error) {
	b := newBuilder(cfg)
	return b, b.openLog()
}

// openLog reads the searches that are not in the graph from the log.
func (b *builder) openLog() (err error) {
	b.log, err = journal.Open(b.cfg.Log, logKind, b.cfg.logHeader(), b.cfg.codec(), func(f finished) error {
		if _, there := b.graph.find(f.pos); there {
			return nil
		}
		key := f.pos.BookKey()
		if _, twice := b.results[key]; twice {
			return fmt.Errorf("search of %s a second time", f.pos)
		}
		b.results[key], err = f.found()
		return err
	})
	return err
}

// askChildren requests searches of the new successors of a leaf.
func (b *builder) askChildren(leaf index) error {
	n := b.graph.nodes.at(leaf)
	for set := n.legal; set != 0; set &= set - 1 {
		if err := b.ask(n.pos.Play(oware.Move(bits.TrailingZeros8(set)))); err != nil {
			return err
		}
	}
	return nil
}

// ask requests the search of a position unless it is done or in flight.
func (b *builder) ask(p oware.Position) error {
	key := p.BookKey()
	if !b.missing(p) || b.asked[key] {
		return nil
	}
	b.asked[key] = true
	if !b.asking {
		b.asking = true
		b.report()
	}
	return b.search(engine.Job[oware.Position]{Position: p, Limits: b.cfg.Limits})
}

// missing reports whether the graph still needs the search of a position.
func (b *builder) missing(p oware.Position) bool {
	if _, over := p.Terminal(); over {
		return false
	}
	if _, there := b.graph.find(p); there {
		return false
	}
	_, known := b.results[p.BookKey()]
	return !known
}

// receive takes answers until the position is not missing.
func (b *builder) receive(ctx context.Context, p oware.Position) error {
	for b.missing(p) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case a := <-b.answers:
			if err := b.take(a); err != nil {
				return err
			}
		}
	}
	return nil
}

// take stores a finished search, in memory and in the log.
func (b *builder) take(f finished) error {
	kept, err := f.found()
	if err != nil {
		return err
	}
	key := f.pos.BookKey()
	delete(b.asked, key)
	b.results[key] = kept
	return b.log.Append(f)
}
