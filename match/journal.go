package match

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"kroo/internal/wal"
)

// journalFormat changes with the meaning of the log.
const journalFormat = "kroo-match 1"

// header begins the log: what a pair's games depend on. The number of pairs is
// not among it, so that a match can be made longer: the first openings of a
// longer one are the same.
type header struct {
	Format       string `json:"format"`
	A            string `json:"a"`
	B            string `json:"b"`
	Rules        string `json:"rules"`
	Limits       string `json:"limits"`
	OpeningPlies int    `json:"opening_plies"`
	MaxPlies     int    `json:"max_plies"`
	Seed         uint64 `json:"seed"`
	Openings     string `json:"openings,omitempty"` // hash of those given
	WinBy        string `json:"adjudicate_win,omitempty"`
	DrawBy       string `json:"adjudicate_draw,omitempty"`
	Table        string `json:"adjudicate_table,omitempty"`
	Clock        string `json:"clock,omitempty"`
	ClockB       string `json:"clock_b,omitempty"`
}

func (c *Config) header(a, b string) header {
	h := header{
		Format: journalFormat, A: a, B: b, Rules: c.Rules.String(), Limits: c.Limits,
		OpeningPlies: c.OpeningPlies, MaxPlies: c.MaxPlies, Seed: c.Seed, Openings: openingsHash(c.Openings),
		WinBy: c.AdjudicateWin.String(), DrawBy: c.AdjudicateDraw.String(),
	}
	if c.AdjudicateTable != nil {
		h.Table = cmp.Or(c.TableName, "unnamed")
	}
	h.Clock, h.ClockB = c.TimeControl.inFull(), c.TimeControlB.inFull()
	return h
}

// inFull is the time control with its margin, "" for none.
func (tc TimeControl) inFull() string {
	if tc == (TimeControl{}) {
		return ""
	}
	return tc.String() + ", margin " + tc.Margin.String()
}

// differsFrom names the first field that is not the same.
func (h header) differsFrom(other header) error {
	for _, f := range []struct {
		name      string
		log, this any
	}{
		{"format", h.Format, other.Format},
		{"player A", h.A, other.A},
		{"player B", h.B, other.B},
		{"rules", h.Rules, other.Rules},
		{"limits", h.Limits, other.Limits},
		{"opening plies", h.OpeningPlies, other.OpeningPlies},
		{"maximum plies", h.MaxPlies, other.MaxPlies},
		{"seed", h.Seed, other.Seed},
		{"openings", h.Openings, other.Openings},
		{"adjudicated wins", h.WinBy, other.WinBy},
		{"adjudicated draws", h.DrawBy, other.DrawBy},
		{"adjudicating table", h.Table, other.Table},
		{"clock", h.Clock, other.Clock},
		{"clock of player B", h.ClockB, other.ClockB},
	} {
		if f.log != f.this {
			return fmt.Errorf("log of another match: %s %#v there, %#v here; delete it or name another", f.name, f.log, f.this)
		}
	}
	return nil
}

// pairLog is one record of the log.
type pairLog struct {
	Pair  int        `json:"pair"` // from 0
	Games [2]gameLog `json:"games"`
}

// openJournal opens the log or starts it, and hands over the pairs it holds.
func openJournal(path string, want header, found func(pairLog) error) (*wal.Log, error) {
	head, err := json.Marshal(want)
	if err != nil {
		return nil, fmt.Errorf("match: %w", err)
	}
	log, err := wal.OpenOrCreate(path, head, want.check, func(rec []byte) error {
		var p pairLog
		if err := decode(rec, &p); err != nil {
			return err
		}
		return found(p)
	})
	return log, wrap(err)
}

// keep writes a pair to the log. It reaches the operating system at once, so
// that a killed process does not lose it.
func keep(log *wal.Log, p pairLog) error {
	rec, err := json.Marshal(p)
	if err != nil {
		return wrap(err)
	}
	return wrap(log.Append(rec))
}

func wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("match: %w", err)
}

// check compares the header found with the one wanted.
func (h header) check(found []byte) error {
	var there header
	if err := decode(found, &there); err != nil {
		return fmt.Errorf("not the log of a match: %w", err)
	}
	return there.differsFrom(h)
}

// decode is strict: a field that is not known is an error.
func decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return errors.New("more than one JSON value")
	}
	return nil
}
