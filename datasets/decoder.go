package datasets

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"kroo/internal/vfs"
)

// A child is one before anything else of the program runs, the tests of one as well.
func init() {
	if os.Getenv(asDecoder) != "" {
		os.Exit(beDecoder())
	}
}

// beDecoder does what the first line of the input says, and ends when the input does: so a child
// never outlives the program that has started it.
func beDecoder() int {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriterSize(os.Stdout, 1<<16)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return 1
	}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		os.Exit(1)
	}()
	os.Stdout = os.Stderr // for whatever a library prints
	var o order
	if err = json.Unmarshal(line, &o); err == nil {
		debug.SetMemoryLimit(o.Memory / 4 * 3)
		if err = limitMemory(o.Memory); err == nil {
			err = o.obey(sender{out})
		}
	}
	s := sender{out}
	if err != nil {
		err = s.send(sendsError, []byte(err.Error()))
	} else {
		err = s.send(sendsEnd)
	}
	if err != nil || out.Flush() != nil {
		return 1
	}
	return 0
}

// obey decodes.
func (o order) obey(s sender) error {
	format, ok := formats[o.Ext]
	if !ok {
		return fmt.Errorf("no format %q", o.Ext)
	}
	f, err := vfs.Open(o.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	return guarded(context.Background(), format, f, func(r source, mem *budget) error {
		switch o.Do {
		case "cells":
			return format.cells(r, mem, o.Names, s.row)
		case "decode":
			cols := make([]column, len(o.Columns))
			for i, c := range o.Columns {
				cols[i] = column{name: c.Name, typ: columnType(c.Type), high: maxScores}
			}
			all := numbersTo(len(cols))
			return format.groups(r, mem, pairsOf(o.Meta), cols, func(g group) error {
				return g.read(mem, cols, all, func() error { return s.rows(cols, all) })
			})
		}
		about, err := format.describe(r, mem)
		if err != nil {
			return err
		}
		return s.description(about)
	})
}

// sender writes messages.
type sender struct{ out *bufio.Writer }

func (s sender) send(kind byte, texts ...[]byte) error {
	s.out.WriteByte(kind) // an error stays, and is told by the last call
	for _, text := range texts {
		s.text(text)
	}
	_, err := s.out.Write(nil)
	return err
}

func (s sender) text(b []byte) {
	s.out.Write(binary.AppendUvarint(s.out.AvailableBuffer(), uint64(len(b))))
	s.out.Write(b)
}

// row sends cells, nil those of a bad row.
func (s sender) row(place string, cells []string) error {
	if cells == nil {
		return s.send(sendsBadRow, []byte(place))
	}
	for _, cell := range cells {
		if len(cell) > longestCell {
			return fmt.Errorf("%s: a text of %d bytes: expected at most %d", place, len(cell), longestCell)
		}
	}
	err := s.send(sendsRow, []byte(place))
	for _, cell := range cells {
		s.out.Write(binary.AppendUvarint(s.out.AvailableBuffer(), uint64(len(cell))))
		_, err = s.out.WriteString(cell)
	}
	return err
}

// rows sends the rows of columns.
func (s sender) rows(cols []column, all []int) error {
	n, err := sameLength(cols, all)
	cells := make([]string, len(cols))
	for i := 0; i < n && err == nil; i++ {
		for j := range cols {
			cells[j] = cell(&cols[j], i)
		}
		err = s.row("", cells)
	}
	return err
}

func (s sender) description(d description) error {
	text, err := json.Marshal(sentDescription{sentPairs(d.pairs), d.names, d.texts})
	if err != nil {
		return err
	}
	if len(text) > longestDescription {
		return fmt.Errorf("what it says of itself takes %d bytes: expected at most %d", len(text), longestDescription)
	}
	return s.send(sendsDescription, text)
}
