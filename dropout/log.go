package dropout

import (
	"encoding/binary"
	"fmt"

	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/journal"
)

// logKind changes with the meaning of the log.
const logKind = "kroo-dropout 4"

// logHeader is what the searches of a log depend on. Which positions are
// searched is no part of it: a log serves any width, ω, root and sides.
type logHeader struct {
	Rules  string        `json:"rules"`
	Limits search.Limits `json:"limits"`
	Engine string        `json:"engine"`
}

func (c Config) logHeader() logHeader {
	return logHeader{c.Rules.String(), c.Limits, c.Engine}
}

// finished is one record of the log: a position's key and its search.
type finished struct {
	key   int64
	depth int32 // plies
	found
}

// codec is of big-endian numbers: key, score, depth, nodes, and a byte that is
// 1 for a proven score.
var codec = journal.Codec[finished]{
	Append: func(b []byte, f finished) ([]byte, error) { return appendFinished(b, f), nil },
	Decode: readFinished,
}

const recordSize = 8 + 2 + 2 + 8 + 1

func appendFinished(b []byte, f finished) []byte {
	b = binary.BigEndian.AppendUint64(b, uint64(f.key))
	b = binary.BigEndian.AppendUint16(b, uint16(f.score))
	b = binary.BigEndian.AppendUint16(b, uint16(f.depth))
	b = binary.BigEndian.AppendUint64(b, uint64(f.nodes))
	if f.proven {
		return append(b, 1)
	}
	return append(b, 0)
}

func readFinished(b []byte) (f finished, err error) {
	if len(b) != recordSize || b[recordSize-1] > 1 {
		return f, fmt.Errorf("not a search: %d bytes: expected %d", len(b), recordSize)
	}
	f.key = int64(binary.BigEndian.Uint64(b))
	f.score = int16(binary.BigEndian.Uint16(b[8:]))
	f.depth = int32(binary.BigEndian.Uint16(b[10:]))
	f.nodes = int64(binary.BigEndian.Uint64(b[12:]))
	f.proven = b[20] == 1
	return f, f.check()
}

// check refuses what no search answers.
func (f finished) check() error {
	if f.score > search.Win || f.score < -search.Win {
		return fmt.Errorf("key %d: score %d: expected -%d to %d", f.key, f.score, search.Win, search.Win)
	}
	if f.nodes < 0 || f.depth < 0 || f.depth > search.MaxPly {
		return fmt.Errorf("key %d: a search of %d positions to depth %d: expected 0 or more and 0 to %d", f.key, f.nodes, f.depth, search.MaxPly)
	}
	if search.Proven(int(f.score)) != f.proven && f.score != 0 {
		return fmt.Errorf("key %d: score %d and proven %t contradict each other", f.key, f.score, f.proven)
	}
	return nil
}

func newBuilder(cfg Config) *builder {
	return &builder{
		cfg: cfg, graph: newGraph(cfg), results: map[int64]found{}, asked: map[int64]bool{},
		answers: make(chan answer, cfg.Width*oware.Houses),
	}
}

// open makes a builder that continues from the log of a configuration.
func open(cfg Config) (*builder, error) {
	b := newBuilder(cfg)
	return b, b.openLog()
}

// openLog takes the searches that the graph does not have from the log.
func (b *builder) openLog() (err error) {
	b.log, err = journal.Open(b.cfg.Log, logKind, b.cfg.logHeader(), codec, func(f finished) error {
		p, err := oware.FromBookKey(b.cfg.Rules, f.key)
		if err != nil {
			return err
		}
		if _, there := b.graph.find(p); there {
			return nil
		}
		if _, twice := b.results[f.key]; twice {
			return fmt.Errorf("key %d a second time", f.key)
		}
		b.results[f.key] = f.found
		return nil
	})
	return err
}
