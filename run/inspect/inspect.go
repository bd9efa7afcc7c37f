// Package inspect detects the kind of a file by its content ([KindOf]) and describes the file
// with the package of that kind ([File]).
package inspect

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"kroo/book"
	"kroo/datasets"
	"kroo/endgame"
	"kroo/features"
	owarefeatures "kroo/features/oware"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/journal"
	"kroo/internal/outline"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/match/tune"
	"kroo/regress/profile"
	"kroo/run"
)

// Kind is the kind of a file's content.
type Kind string

// Kinds of files. Unknown is any other file; Empty has no bytes.
const (
	KindDataset  Kind = "a dataset"
	KindWeights  Kind = "weights"
	KindManifest Kind = "the manifest of a run"
	KindGames    Kind = "games"
	KindTable    Kind = "an endgame table"
	KindJournal  Kind = "a journal"
	KindBook     Kind = "a book"
	KindUTF16    Kind = "UTF-16 text"
	KindConfig   Kind = "a configuration"
	KindRecord   Kind = "the manifest of a dataset"
	KindPage     Kind = "a page"
	KindTuning   Kind = "tuned values"
	KindPicture  Kind = "a picture"
	KindUnknown  Kind = "something else"
	KindEmpty    Kind = "nothing"
)

// content is the beginning of a file.
type content struct {
	path string
	head []byte
	text string // of the head, without blanks around it
	all  Games
	rows profile.Options
}

// kinds are the kinds of files, in the order in which they are tried, each with the function that
// describes a file.
var kinds = []struct {
	kind     Kind
	is       func(c content) bool
	describe func(ctx context.Context, c content) (*outline.Doc, error)
}{
	{KindDataset, content.isDataset,
		func(ctx context.Context, c content) (*outline.Doc, error) { return c.all.dataset(ctx, c.path, c.rows) }},
	{KindEmpty, func(c content) bool { return len(c.head) == 0 },
		plain(func(path string) (*outline.Doc, error) { return nil, fmt.Errorf("%s: the file is empty", path) })},
	{KindUnknown, begins("PK\x03\x04"), foreign}, // a ZIP archive, whatever its content
	{KindJournal, func(c content) bool { // including one truncated by a crash
		return bytes.HasPrefix([]byte(journal.Magic), c.head[:min(len(c.head), len(journal.Magic))])
	}, plain(journal.Describe)},
	{KindTable, begins(endgame.Magic), plain(endgame.Describe)},
	{KindWeights, begins(features.PackedMagic), weights},
	{KindWeights, object(features.Format), weights},
	{KindManifest, object(run.ManifestFormat), plain(ofRun)},
	{KindTuning, object(tune.Format), plain(tune.Describe)},
	{KindRecord, object(datasets.ManifestFormat), shown("the manifest of a dataset, in JSON: inspect the dataset next to it")},
	{KindPicture, begins("\x89PNG\r\n\x1a\n"), picture},
	{KindPicture, func(c content) bool {
		return strings.HasPrefix(c.text, "<svg") || strings.HasPrefix(c.text, "<?xml") && strings.Contains(c.text, "<svg")
	}, picture},
	{KindPage, func(c content) bool { return len(c.text) > 8 && strings.EqualFold(c.text[:9], "<!doctype") }, picture},
	{KindConfig, func(c content) bool { return strings.HasSuffix(c.path, ".toml") }, plain(ofRun)},
	{KindGames, func(c content) bool { return strings.HasPrefix(c.text, "[") || games.IsRecords(c.path) },
		func(_ context.Context, c content) (*outline.Doc, error) { return c.all.records(c.path, c.head) }},
	{KindUTF16, content.isUTF16, plain(func(path string) (*outline.Doc, error) { return nil, UTF16Error(path) })},
	{KindBook, func(c content) bool {
		return strings.HasSuffix(c.path, ".bin") || bytes.Contains(c.head, []byte{0, '\n'})
	}, plain(book.Describe)},
	{KindUnknown, func(content) bool { return true }, foreign},
}

func plain(describe func(path string) (*outline.Doc, error)) func(context.Context, content) (*outline.Doc, error) {
	return func(_ context.Context, c content) (*outline.Doc, error) { return describe(c.path) }
}

// ofRun describes the run that a file is part of.
func ofRun(path string) (*outline.Doc, error) {
	folder := filepath.Dir(path)
	if !run.IsFolder(folder) && strings.HasSuffix(path, ".toml") {
		const text = "a configuration, in TOML, such as train run --config and train tune read"
		return &outline.Doc{Title: text, Value: text}, nil
	}
	d, err := run.DescribeFolder(folder)
	if err != nil {
		return nil, fmt.Errorf("%s: part of a run: %w", path, err)
	}
	return d, nil
}

// shown describes what other programs show.
func shown(text string) func(context.Context, content) (*outline.Doc, error) {
	return plain(func(string) (*outline.Doc, error) { return &outline.Doc{Title: text, Value: text}, nil })
}

var picture = shown("a page or picture: open it in a browser")

func weights(_ context.Context, c content) (*outline.Doc, error) {
	return c.all.describeWeights(c.path)
}

func foreign(_ context.Context, c content) (*outline.Doc, error) {
	if strings.EqualFold(filepath.Ext(c.path), ".csv") {
		return nil, fmt.Errorf(
			"%s: not a Kroo file: `train adopt %s -o OUT` imports a table of another program that has a column of boards",
			c.path, wording.Path(c.path))
	}
	return nil, fmt.Errorf("%s: not a Kroo file: expected a dataset (.parquet, .arrow, .csv), weights or a manifest (.json), a book (.bin), games (.ogn), an endgame table (.endgame) or a journal", c.path)
}

func begins(magic string) func(content) bool {
	return func(c content) bool { return bytes.HasPrefix(c.head, []byte(magic)) }
}

// object recognises a JSON object that names its format.
func object(format string) func(content) bool {
	return func(c content) bool {
		return strings.HasPrefix(c.text, "{") && strings.Contains(c.text, `"`+format+`"`)
	}
}

func (c content) isDataset() bool {
	text := strings.ReplaceAll(strings.TrimPrefix(string(c.head), "\ufeff"), `"`, "")
	return bytes.HasPrefix(c.head, []byte("PAR1")) || bytes.HasPrefix(c.head, []byte("ARROW1")) ||
		strings.HasPrefix(text, "key,board,phase,") ||
		slices.Contains([]string{".parquet", ".arrow"}, strings.ToLower(filepath.Ext(c.path)))
}

// isUTF16 recognises UTF-16 by its byte order mark, or by zero bytes in a file that is text by its name. The
// headers of old books are UTF-16, too.
func (c content) isUTF16() bool {
	if bytes.HasPrefix(c.head, []byte("\xff\xfe")) {
		return true
	}
	texts := []string{".csv", ".tsv", ".txt", ".ogn", ".json", ".toml"}
	isText := slices.Contains(texts, strings.ToLower(filepath.Ext(c.path)))
	return isText && 3*bytes.Count(c.head, []byte{0}) > len(c.head)
}

// UTF16Error is the error for a file of [KindUTF16].
func UTF16Error(path string) error {
	return fmt.Errorf("%s is UTF-16 text: expected UTF-8, as `iconv -f UTF-16 -t UTF-8 %s > NEW` writes it",
		path, wording.Path(path))
}

// KindOf returns the kind of a file by its content or, if that is not conclusive, by its name.
func KindOf(path string) (Kind, error) {
	c, err := contentOf(path)
	return kinds[c.kind()].kind, err
}

func contentOf(path string) (content, error) {
	head, err := vfs.ReadStart(path, 4096)
	return content{path: path, head: head, text: strings.TrimSpace(string(head))}, err
}

// kind returns the number of the kind of a file.
func (c content) kind() int {
	for i, k := range kinds[:len(kinds)-1] {
		if k.is(c) {
			return i
		}
	}
	return len(kinds) - 1
}

// Options are how to describe a file.
type Options struct {
	Rows profile.Options // of a dataset
	// Program and Folder are what commands name instead of this program and the folder of the file, for pages.
	Program, Folder string
}

// File detects the kind of a file by its content and describes it: datasets, weights, books,
// game records, endgame tables, journals, and all other files of a run folder; or a run folder;
// or an embedded default, by its name.
func File(ctx context.Context, path string, all Games, o Options) (*outline.Doc, error) {
	if book.IsBuiltIn(path) {
		return ownDoc(all, path)
	}
	info, err := vfs.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && slices.Contains(owarefeatures.Names(), path):
		return all.describeWeights(path)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %s, or a file", err, wording.Expect(path, owarefeatures.Names()))
	case err != nil:
		return nil, err
	case info.IsDir():
		return run.DescribeFolder(path)
	}
	c, err := contentOf(path)
	if err != nil {
		return nil, err
	}
	c.all = all
	c.rows = o.Rows
	kind := kinds[c.kind()]
	d, err := kind.describe(ctx, c)
	if err != nil || !slices.Contains([]Kind{KindDataset, KindWeights, KindBook, KindGames}, kind.kind) {
		return d, err
	}
	return d, AddOrigin(d, path, kind.kind, all, o)
}

// ownDoc describes what is embedded for the rules of a built-in book: the weights of the same name, the
// book and the endgame table.
func ownDoc(all Games, name string) (*outline.Doc, error) {
	w, err := all.describeWeights(name)
	if err != nil {
		return nil, err
	}
	b, err := book.Describe(name)
	if err != nil {
		return nil, err
	}
	_, rules, err := book.FindFor(name, "")
	if err != nil {
		return nil, err
	}
	t, err := endgame.Default(rules)
	if err != nil {
		return nil, err
	}
	d := &outline.Doc{Title: fmt.Sprintf("what comes with the program for %s under %s rules",
		oware.Descriptor().Name, rules),
		Value: map[string]any{"weights": w.Value, "book": b.Value, "tables": t.Doc().Value}}
	d.AddDoc("weights", w)
	d.AddDoc("book", b)
	d.AddDoc("tables", t.Doc())
	return d, nil
}

// Made returns the command that made a file, as recorded in the words of [MadeBy], or "" if
// unknown. The record of a dataset is its manifest; in other files it is in the first megabyte,
// in the same words for every format.
func Made(path string, kind Kind) (string, error) {
	if kind == KindDataset {
		// A dataset whose writing was interrupted may have its new manifest under another name.
		if m, err := datasets.ReadManifest(path); err == nil {
			text, err := json.Marshal(m)
			return madePattern.FindString(string(text)), err
		}
		path = datasets.ManifestPath(path)
	}
	head, err := vfs.ReadStart(path, 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return madePattern.FindString(string(head)), err
}

var madePattern = regexp.MustCompile(`train [a-zA-Z0-9_%+:,./@= -]*? of [0-9a-f]{16}\b`)

// MadeBy returns the record of the command that makes a file: its words, and the beginning of a
// hash of its inputs. No format needs to quote any of its characters.
func MadeBy(words []string, inputs string) string {
	var b strings.Builder
	b.WriteString("train")
	for _, w := range words {
		b.WriteByte(' ')
		for i := range len(w) {
			if c := w[i]; strings.IndexByte(plainBytes, c) >= 0 {
				b.WriteByte(c)
			} else {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		}
	}
	text := b.String()
	if len(text) > longestMade { // such as a fit to hundreds of files
		sum := sha256.Sum256([]byte(text))
		text = text[:longestMade] + "..." + hex.EncodeToString(sum[:])
	}
	return text + " of " + inputs[:16]
}

// longestMade is a length that fits into the records of all formats.
const longestMade = 800

const plainBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+:,./@=-"

// Standing describes the content of a file in one line: the rows of a dataset, the command that made
// it, and when, as far as known.
func Standing(path string, kind Kind) string {
	var parts []string
	if kind == KindDataset {
		if m, err := datasets.ReadManifest(path); err == nil {
			parts = append(parts, wording.Count(m.Rows, "row")+" of "+m.Meta.Kind)
		}
	}
	if made, err := Made(path, kind); err == nil && made != "" {
		parts = append(parts, "made by "+wording.WithoutIDs(made))
	}
	if info, err := vfs.Stat(path); err == nil {
		parts = append(parts, "of "+info.ModTime().Format(time.DateTime))
	}
	return fmt.Sprintf("%s (%s)", kind, strings.Join(parts, ", "))
}
