package inspect

import (
	"fmt"
	"io"

	"kroo/internal/journal"
	"kroo/internal/wal"
)

// JournalSheet is what inspecting a journal shows.
type JournalSheet struct {
	Kind     string            `json:"kind"`     // the work it is of, "" where it does not say
	Settings map[string]string `json:"settings"` // values as JSON
	Records  int64             `json:"records"`  // whole ones, up to the first that is damaged or torn
	Bytes    int64             `json:"bytes"`    // up to there
	Lost     int64             `json:"lost"`     // bytes from there on
	Damaged  bool              `json:"damaged"`  // in the middle: nothing goes on from it
}

func inspectJournal(path string) (Sheet, error) {
	c, err := wal.Inspect(path, nil)
	if err != nil {
		return Sheet{}, err
	}
	return journalSheet(path, c), nil
}

// Salvage cuts a damaged journal before its first damaged record, and says what it kept
// and what was lost.
func Salvage(path string) (Sheet, error) {
	c, err := wal.Salvage(path)
	if err != nil {
		return Sheet{}, err
	}
	s := journalSheet(path, c)
	if c.Damaged {
		s.Text = fmt.Sprintf("%s: kept %d records (%d bytes), lost the %d bytes after them; the damaged journal is in %s\n",
			path, c.Records, c.Bytes, c.Lost, path+wal.DamagedSuffix)
	}
	return s, nil
}

func journalSheet(path string, c wal.Contents) Sheet {
	s := JournalSheet{Records: c.Records, Bytes: c.Bytes, Lost: c.Lost, Damaged: c.Damaged}
	s.Kind, s.Settings = journal.Describe(c.Header)
	return Sheet{Value: s, Text: columns(func(w io.Writer) {
		fmt.Fprintf(w, "%s: a journal of %d finished pieces, %q\n", path, s.Records, s.Kind)
		for _, name := range sortedKeys(s.Settings) {
			fmt.Fprintf(w, "%s:\t%s\n", name, s.Settings[name])
		}
		switch {
		case s.Damaged:
			fmt.Fprintf(w, "damaged at byte %d: --salvage keeps what is before it, and loses %d bytes\n", s.Bytes, s.Lost)
		case s.Lost > 0:
			fmt.Fprintf(w, "torn at its end: the last %d bytes are no whole piece\n", s.Lost)
		}
	})}
}
