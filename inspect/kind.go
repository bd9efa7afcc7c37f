package inspect

import (
	"bytes"
	"strings"

	"kroo/endgame"
	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/internal/wal"
	"kroo/run"
)

// Kind says what a file holds.
type Kind string

// The kinds of files. A file that none of the others fits is Unknown; Empty has no
// bytes.
const (
	KindDataset  Kind = "a dataset"
	KindWeights  Kind = "weights"
	KindManifest Kind = "the manifest of a run"
	KindGames    Kind = "games"
	KindTable    Kind = "an endgame table"
	KindJournal  Kind = "a journal"
	KindBook     Kind = "a book"
	KindUnknown  Kind = "something else"
	KindEmpty    Kind = "nothing"
)

// KindOf tells what kind of file there is by its content, or its name where the
// content does not tell.
func KindOf(path string) (Kind, error) {
	head, err := headOf(path)
	return kindOf(path, head), err
}

func kindOf(path string, head []byte) Kind {
	text := strings.TrimSpace(string(head))
	object := func(format string) bool {
		return strings.HasPrefix(text, "{") && strings.Contains(text, `"`+format+`"`)
	}
	switch {
	case isDataset(path, head):
		return KindDataset
	case len(head) == 0:
		return KindEmpty
	case bytes.HasPrefix(head, []byte(wal.Magic)):
		return KindJournal
	case bytes.HasPrefix(head, []byte(endgame.Magic)):
		return KindTable
	case bytes.HasPrefix(head, []byte(patterns.Magic)), object(features.Format):
		return KindWeights
	case object(run.ManifestFormat):
		return KindManifest
	case strings.HasPrefix(text, "["), strings.HasSuffix(path, ".ogn"):
		return KindGames
	case strings.HasSuffix(path, ".bin"), bytes.Contains(head, []byte{0, '\n'}):
		return KindBook
	}
	return KindUnknown
}
