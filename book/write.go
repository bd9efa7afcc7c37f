package book

import (
	"fmt"
	"hash/crc32"
	"io"

	"kroo/games/oware"
	"kroo/internal/atomicfile"
)

// Write replaces path by a book with the given entries, atomically. It adds the
// number of entries and the checksums to the header, and drops those of the book
// that the header was read from. It refuses entries whose keys are out of range or
// not ascending, and then leaves path alone.
func Write(path string, h Header, entries []Entry) error {
	if err := ascending(entries); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	sum := uint32(0)
	var b []byte
	for _, e := range entries {
		b = e.appendTo(b[:0])
		sum = crc32.Update(sum, castagnoli, b)
	}
	head, err := h.encode(len(entries), sum)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return atomicfile.WriteFile(path, func(w io.Writer) error {
		if _, err := w.Write(head); err != nil {
			return err
		}
		for _, e := range entries {
			b = e.appendTo(b[:0])
			if _, err := w.Write(b); err != nil {
				return err
			}
		}
		return nil
	})
}

// ascending checks the order that Lookup relies on.
func ascending(entries []Entry) error {
	for i, e := range entries {
		switch {
		case !validKey(e.Key):
			return fmt.Errorf("entry %d: key %d: expected a rank below %d, plus 2^43 if South is to move", i, e.Key, oware.Ranks)
		case i > 0 && e.Key == entries[i-1].Key:
			return fmt.Errorf("entry %d: key %d a second time", i, e.Key)
		case i > 0 && e.Key < entries[i-1].Key:
			return fmt.Errorf("entry %d: key %d after %d: expected ascending keys", i, e.Key, entries[i-1].Key)
		}
	}
	return nil
}

func validKey(key int64) bool {
	return key >= 0 && (key < oware.Ranks || key >= oware.SouthKey && key-oware.SouthKey < oware.Ranks)
}
