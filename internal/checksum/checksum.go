// Package checksum is the SHA-256 of files, by which manifests, farms and versions tell
// them apart.
package checksum

import (
	"crypto/sha256"
	"encoding/hex"
	"io"

	"kroo/internal/vfs"
)

// Is tells whether a text can be a SHA-256, as Of writes it.
func Is(text string) bool {
	sum, err := hex.DecodeString(text)
	return err == nil && len(sum) == sha256.Size && hex.EncodeToString(sum) == text
}

// Of is the SHA-256 of what r holds, in hexadecimal digits.
func Of(r io.Reader) (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, r); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// File is the SHA-256 of a file, in hexadecimal digits.
func File(path string) (string, error) {
	f, err := vfs.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return Of(f)
}
