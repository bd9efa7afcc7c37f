// Package checksum is the SHA-256 of files, by which manifests, farms and versions tell
// them apart, and a hash of 64 bits.
package checksum

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"kroo/internal/vfs"
)

// Is reports whether a text can be a SHA-256, as Of writes it.
func Is(text string) bool {
	sum, err := hex.DecodeString(text)
	return err == nil && len(sum) == sha256.Size && hex.EncodeToString(sum) == text
}

// Of returns the SHA-256 of what r holds, in hexadecimal digits.
func Of(r io.Reader) (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, r); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// File returns the SHA-256 of a file, in hexadecimal digits.
func File(path string) (string, error) {
	f, err := vfs.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return Opened(f, f)
}

// known are files that this process has hashed, by the names that they were opened by.
var known sync.Map // of hashed

// hashed is a file as it was when it was hashed.
type hashed struct {
	info fs.FileInfo
	sum  string
}

// settled is how old the last change of a file is if any later one changes its time.
const settled = 2 * time.Second

// Opened returns the SHA-256 of an open file, which r reads from the beginning. A file that has not
// changed since the process hashed it is not read again.
func Opened(f *vfs.File, r io.Reader) (string, error) {
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if k, ok := known.Load(f.Name()); ok && same(k.(hashed).info, info) {
		return k.(hashed).sum, nil
	}
	begun := time.Now()
	sum, err := Of(r)
	if err != nil {
		return "", err
	}
	if after, err := f.Stat(); err == nil && same(after, info) && begun.Sub(info.ModTime()) > settled {
		known.Store(f.Name(), hashed{info, sum})
	}
	return sum, nil
}

func same(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
