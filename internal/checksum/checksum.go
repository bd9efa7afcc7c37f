// Package checksum computes the SHA-256 of files, which identifies them in manifests, farms and
// versions, and a 64-bit hash of numbers.
package checksum

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"kroo/internal/vfs"
)

// Is reports whether a text has the form of a SHA-256 in hexadecimal digits, lower case.
func Is(text string) bool {
	sum, err := hex.DecodeString(text)
	return err == nil && len(sum) == sha256.Size && hex.EncodeToString(sum) == text
}

// File returns the SHA-256 of a file, in hexadecimal digits.
func File(path string) (string, error) {
	f, err := vfs.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return OfOpenFile(f, f)
}

// OfInput returns the SHA-256 of an operand that may be a file, "" for other names, such as that of an
// evaluation.
func OfInput(name string) (string, error) {
	info, err := vfs.Stat(name)
	if name == "" || errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return "", nil
	}
	hash, failed := File(name)
	if err != nil { // no file can have such a name, or the error was a passing one
		return hash, nil
	}
	return hash, failed
}

// known are the files that this process has hashed, by the name used to open them.
var known sync.Map // string → hashed

// hashed is the state of a file when it was hashed.
type hashed struct {
	info fs.FileInfo
	sum  string
}

// settled is the age of a file's last change from which any later change is certain to change
// the modification time.
const settled = 2 * time.Second

// OfOpenFile returns the SHA-256 of an open file; r reads it from the beginning. A file that has not
// changed since this process hashed it is not read again.
func OfOpenFile(f *vfs.File, r io.Reader) (string, error) {
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if k, ok := known.Load(f.Name()); ok && same(k.(hashed).info, info) {
		return k.(hashed).sum, nil
	}
	start, hash := time.Now(), sha256.New()
	if _, err := io.Copy(hash, r); err != nil {
		return "", err
	}
	sum := hex.EncodeToString(hash.Sum(nil))
	if after, err := f.Stat(); err == nil && same(after, info) && start.Sub(info.ModTime()) > settled {
		known.Store(f.Name(), hashed{info, sum})
	}
	return sum, nil
}

func same(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// Mix returns a 64-bit hash for uses that need no secret but the same value on every machine:
// splits of rows, fingerprints of data. It is one step of the generator splitmix64 (Steele, Lea
// and Flood, *Fast splittable pseudorandom number generators*, 2014): a bijection of 64 bits in
// which every bit of h changes about half of the bits of the result.
func Mix(h uint64) uint64 {
	h += 0x9e37_79b9_7f4a_7c15
	h = (h ^ h>>30) * 0xbf58_476d_1ce4_e5b9
	h = (h ^ h>>27) * 0x94d0_49bb_1331_11eb
	return h ^ h>>31
}
