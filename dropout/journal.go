package dropout

import (
	"encoding/binary"
	"fmt"

	"kroo/engine/search"
	"kroo/internal/journal"
)

// journalKind changes with the meaning of the log.
const journalKind = "kroo-dropout 2"

// journalHeader is what a log is for. Everything is in it that decides which
// positions are searched, and how; not how many.
type journalHeader struct {
	Rules  string        `json:"rules"`
	Root   string        `json:"root"`
	Sides  Sides         `json:"sides"`
	Omega  float64       `json:"omega"`
	Batch  int           `json:"batch"`
	Limits search.Limits `json:"limits"`
	Engine string        `json:"engine"`
}

func (c Config) header() journalHeader {
	return journalHeader{c.Rules.String(), c.Root.String(), c.Sides, c.Omega, c.Batch, c.Limits, c.Engine}
}

// finished is one record of the log: a position's key and its search.
type finished struct {
	key int64
	found
}

// openJournal opens or makes the log of a configuration and returns the
// searches in it.
func openJournal(cfg Config) (*journal.Journal[finished], map[int64]found, error) {
	results := map[int64]found{}
	j, err := journal.Open(cfg.Log, journalKind, cfg.header(), codec, func(f finished) error {
		if _, twice := results[f.key]; twice {
			return fmt.Errorf("key %d a second time", f.key)
		}
		results[f.key] = f.found
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("dropout: %w", err)
	}
	return j, results, nil
}

// codec is of big-endian numbers: key, score, depth, nodes, and a byte that is
// 1 for a proven score.
var codec = journal.Codec[finished]{Append: appendRecord, Decode: readRecord}

const recordSize = 8 + 4 + 4 + 8 + 1

func appendRecord(b []byte, f finished) ([]byte, error) {
	b = binary.BigEndian.AppendUint64(b, uint64(f.key))
	b = binary.BigEndian.AppendUint32(b, uint32(f.score))
	b = binary.BigEndian.AppendUint32(b, uint32(f.depth))
	b = binary.BigEndian.AppendUint64(b, uint64(f.nodes))
	proven := byte(0)
	if f.proven {
		proven = 1
	}
	return append(b, proven), nil
}

func readRecord(b []byte) (f finished, err error) {
	if len(b) != recordSize || b[24] > 1 {
		return f, fmt.Errorf("not a search: %d bytes: expected %d", len(b), recordSize)
	}
	f.key = int64(binary.BigEndian.Uint64(b))
	f.score = int32(binary.BigEndian.Uint32(b[8:]))
	f.depth = int32(binary.BigEndian.Uint32(b[12:]))
	f.nodes = int64(binary.BigEndian.Uint64(b[16:]))
	f.proven = b[24] == 1
	if f.score > search.Win || f.score < -search.Win {
		return f, fmt.Errorf("key %d: score %d: expected -%d to %d", f.key, f.score, search.Win, search.Win)
	}
	return f, nil
}
