package dropout

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"kroo/engine/search"
	"kroo/internal/wal"
)

const (
	journalFormat  = "kroo-dropout"
	journalVersion = 1
	recordSize     = 8 + 4 + 4 + 8 + 1
)

// journalHeader is what a log is for, as JSON. Everything is in it that
// decides which positions are searched, and how; not how many.
type journalHeader struct {
	Format  string        `json:"format"`
	Version int           `json:"version"`
	Rules   string        `json:"rules"`
	Root    string        `json:"root"`
	Sides   Sides         `json:"sides"`
	Omega   float64       `json:"omega"`
	Batch   int           `json:"batch"`
	Limits  search.Limits `json:"limits"`
	Engine  string        `json:"engine"`
}

func (c Config) header() journalHeader {
	return journalHeader{journalFormat, journalVersion, c.Rules.String(), c.Root.String(), c.Sides, c.Omega, c.Batch, c.Limits, c.Engine}
}

// journal is the log of the finished searches; a nil log keeps nothing.
type journal struct {
	log *wal.Log
	buf []byte
}

// openJournal opens or makes the log of a configuration and returns the
// searches in it.
func openJournal(cfg Config) (*journal, map[int64]found, error) {
	results := map[int64]found{}
	if cfg.Log == "" {
		return &journal{}, results, nil
	}
	want := cfg.header()
	header, err := json.Marshal(want)
	if err != nil {
		return nil, nil, fmt.Errorf("dropout: %w", err)
	}
	log, err := wal.OpenOrCreate(cfg.Log, header, want.check,
		func(b []byte) error { return readRecord(b, results) })
	if err != nil {
		return nil, nil, fmt.Errorf("dropout: %w", err)
	}
	return &journal{log: log}, results, nil
}

// check compares the header found in a log with that of the configuration.
func (want journalHeader) check(b []byte) error {
	var got journalHeader
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&got); err != nil || got.Format != journalFormat {
		return errors.New("the log is not one of an expansion")
	}
	for _, f := range []struct {
		name      string
		got, want any
	}{
		{"version", got.Version, want.Version},
		{"rules", got.Rules, want.Rules},
		{"root", got.Root, want.Root},
		{"sides", got.Sides, want.Sides},
		{"omega", got.Omega, want.Omega},
		{"batch", got.Batch, want.Batch},
		{"limits", got.Limits, want.Limits},
		{"engine", got.Engine, want.Engine},
	} {
		if f.got != f.want {
			return fmt.Errorf("the log is of an expansion with %s %v, this one has %v: give it another log", f.name, f.got, f.want)
		}
	}
	return nil
}

func readRecord(b []byte, results map[int64]found) error {
	if len(b) != recordSize || b[24] > 1 {
		return fmt.Errorf("not a search: %d bytes: expected %d", len(b), recordSize)
	}
	key := int64(binary.BigEndian.Uint64(b))
	f := found{
		score:  int32(binary.BigEndian.Uint32(b[8:])),
		depth:  int32(binary.BigEndian.Uint32(b[12:])),
		nodes:  int64(binary.BigEndian.Uint64(b[16:])),
		proven: b[24] == 1,
	}
	if f.score > search.Win || f.score < -search.Win {
		return fmt.Errorf("key %d: score %d: expected -%d to %d", key, f.score, search.Win, search.Win)
	}
	if _, twice := results[key]; twice {
		return fmt.Errorf("key %d a second time", key)
	}
	results[key] = f
	return nil
}

func (j *journal) append(key int64, f found) error {
	if j.log == nil {
		return nil
	}
	b := binary.BigEndian.AppendUint64(j.buf[:0], uint64(key))
	b = binary.BigEndian.AppendUint32(b, uint32(f.score))
	b = binary.BigEndian.AppendUint32(b, uint32(f.depth))
	b = binary.BigEndian.AppendUint64(b, uint64(f.nodes))
	proven := byte(0)
	if f.proven {
		proven = 1
	}
	j.buf = append(b, proven)
	if err := j.log.Append(j.buf); err != nil {
		return fmt.Errorf("dropout: %w", err)
	}
	return nil
}

func (j *journal) sync() error {
	if j.log == nil {
		return nil
	}
	if err := j.log.Sync(); err != nil {
		return fmt.Errorf("dropout: %w", err)
	}
	return nil
}

func (j *journal) close() error {
	if j.log == nil {
		return nil
	}
	if err := j.log.Close(); err != nil {
		return fmt.Errorf("dropout: %w", err)
	}
	return nil
}
