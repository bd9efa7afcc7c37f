package inspect

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/dropout"
	"kroo/endgame"
	"kroo/features"
	"kroo/games"
	"kroo/internal/vfs"
	"kroo/internal/wal"
	"kroo/match/tune"
	"kroo/run"
)

// Kind is the kind of a file's content.
type Kind string

// Kinds of files. Unknown is any other file; Empty has no bytes.
const (
	KindDataset  Kind = "a dataset"
	KindWeights  Kind = "weights"
	KindManifest Kind = "the manifest of a run"
	KindTimes    Kind = "the times of a run"
	KindGames    Kind = "games"
	KindTable    Kind = "an endgame table"
	KindJournal  Kind = "a journal"
	KindBook     Kind = "a book"
	KindLeaves   Kind = "leaves of a drop-out diagram"
	KindConfig   Kind = "the configuration of a run"
	KindRecord   Kind = "the manifest of a dataset"
	KindPage     Kind = "a page"
	KindTuning   Kind = "tuned values"
	KindPicture  Kind = "a picture"
	KindUnknown  Kind = "something else"
	KindEmpty    Kind = "nothing"
)

// pngMagic is the beginning of a PNG picture.
const pngMagic = "\x89PNG\r\n\x1a\n"

// KindOf returns the kind of a file by its content or, if that is not conclusive, by its name.
func KindOf(path string) (Kind, error) {
	head, err := headOf(path)
	return kindOf(path, head), err
}

func headOf(path string) ([]byte, error) { return vfs.ReadStart(path, 4096) }

func isDataset(path string, head []byte) bool {
	text := strings.ReplaceAll(strings.TrimPrefix(string(head), "\ufeff"), `"`, "")
	return bytes.HasPrefix(head, []byte("PAR1")) || bytes.HasPrefix(head, []byte("ARROW1")) || strings.HasPrefix(text, "key,board,phase,") ||
		slices.Contains([]string{".parquet", ".arrow"}, strings.ToLower(filepath.Ext(path)))
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
	case bytes.HasPrefix(head, []byte("PK\x03\x04")): // a ZIP archive, whatever its content
		return KindUnknown
	case bytes.HasPrefix([]byte(wal.Magic), head[:min(len(head), len(wal.Magic))]): // including one truncated by a crash
		return KindJournal
	case bytes.HasPrefix(head, []byte(endgame.Magic)):
		return KindTable
	case bytes.HasPrefix(head, []byte(features.PackedMagic)), object(features.Format):
		return KindWeights
	case object(run.ManifestFormat):
		return KindManifest
	case object(run.TimesFormat):
		return KindTimes
	case object(tune.Format):
		return KindTuning
	case object(datasets.ManifestFormat):
		return KindRecord
	case bytes.HasPrefix(head, []byte(pngMagic)), strings.HasPrefix(text, "<svg"), strings.HasPrefix(text, "<?xml") && strings.Contains(text, "<svg"):
		return KindPicture
	case len(text) > 8 && strings.EqualFold(text[:9], "<!doctype"):
		return KindPage
	case strings.HasPrefix(text, dropout.LeavesHead), strings.HasPrefix(text, "side,value,depth"):
		return KindLeaves
	case strings.HasSuffix(path, ".toml"):
		return KindConfig
	case strings.HasPrefix(text, "["), games.IsRecords(path):
		return KindGames
	case strings.HasSuffix(path, ".bin"), bytes.Contains(head, []byte{0, '\n'}):
		return KindBook
	}
	return KindUnknown
}
