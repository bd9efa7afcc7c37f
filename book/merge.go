package book

import "fmt"

// Merge joins two books. A position in both keeps the whole entry of a: a player
// compares the values of an entry, so they must come from the same search. Merge
// refuses books whose headers name different rules, and books that are not in
// order. The caller chooses the header of the result.
func Merge(a, b *Book) ([]Entry, error) {
	ra, rb := a.header.Get(FieldRules), b.header.Get(FieldRules)
	if ra != "" && rb != "" && ra != rb {
		return nil, fmt.Errorf("book: cannot merge a book for the rules %q with one for %q", ra, rb)
	}
	merged := make([]Entry, 0, a.Len()+b.Len())
	for i, j := 0, 0; i < a.Len() || j < b.Len(); {
		switch {
		case j == b.Len() || i < a.Len() && a.At(i).Key < b.At(j).Key:
			merged = append(merged, a.At(i))
			i++
		case i == a.Len() || b.At(j).Key < a.At(i).Key:
			merged = append(merged, b.At(j))
			j++
		default:
			merged = append(merged, a.At(i))
			i, j = i+1, j+1
		}
	}
	if err := ascending(merged); err != nil {
		return nil, fmt.Errorf("book: cannot merge: %w", err)
	}
	return merged, nil
}
