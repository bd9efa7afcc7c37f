package journal

import (
	"fmt"
	"maps"
	"slices"

	"kroo/internal/doc"
	"kroo/internal/wal"
	"kroo/internal/wording"
)

// description is the content of a journal.
type description struct {
	Kind     string            `json:"kind"`     // kind of work, "" if unknown
	Settings map[string]string `json:"settings"` // values as JSON
	Records  int64             `json:"records"`  // number of whole records before the first damaged or torn one
	Bytes    int64             `json:"bytes"`    // their size with the header
	Lost     int64             `json:"lost"`     // number of bytes after them
	Damaged  bool              `json:"damaged"`  // damaged in the middle: work cannot resume from it
}

// Describe describes the journal in a file.
func Describe(path string) (*doc.Doc, error) {
	c, err := wal.Inspect(path, nil)
	if err != nil {
		return nil, err
	}
	return describe(c), nil
}

// Salvage truncates a damaged journal before its first damaged record, and describes what it
// kept and what was lost.
func Salvage(path string) (*doc.Doc, error) {
	c, err := wal.Salvage(path)
	if err != nil {
		return nil, err
	}
	s := describe(c)
	if c.Damaged {
		s = &doc.Doc{Value: s.Value, Title: fmt.Sprintf("kept %s (%d bytes), lost the %d bytes after them; the damaged journal is in %s",
			wording.Count(c.Records, "record"), c.Bytes, c.Lost, path+wal.DamagedSuffix)}
	}
	return s, nil
}

func describe(c wal.Contents) *doc.Doc {
	d := description{Records: c.Records, Bytes: c.Bytes, Lost: c.Lost, Damaged: c.Damaged}
	d.Kind, d.Settings = settingsOf(c.Header)
	s := &doc.Doc{Value: d, Title: fmt.Sprintf("a journal of %s, %q", wording.Count(d.Records, "finished piece"), d.Kind)}
	for _, name := range slices.Sorted(maps.Keys(d.Settings)) {
		s.Facts = append(s.Facts, doc.Fact{Name: name, Value: d.Settings[name]})
	}
	switch {
	case d.Damaged:
		s.Addf("damaged at byte %d: --salvage keeps what is before it, and loses %d bytes", d.Bytes, d.Lost)
	case d.Lost > 0:
		s.Addf("torn at its end: the last %d bytes are not a whole piece", d.Lost)
	}
	return s
}
