package inspect

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"time"

	"kroo/datasets"
	"kroo/internal/vfs"
	"kroo/internal/wording"
)

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
		parts = append(parts, "made by "+made)
	}
	if info, err := vfs.Stat(path); err == nil {
		parts = append(parts, "of "+info.ModTime().Format(time.DateTime))
	}
	return fmt.Sprintf("%s (%s)", kind, strings.Join(parts, ", "))
}
