// Package revision identifies the build of the program, for files to record.
//
// A program built by `go build` in a clone of the repository contains the commit, which is its
// name. Go omits the commit with `go run` and `go test`, in a linked git worktree, and if
// GOFLAGS contains -buildvcs=false. The name is then a hash: of the build ID that Go's linker
// writes into ELF files, or of the whole program on other systems. The same source, flags and
// version of Go give the same hash. To record the commit, run `go build -buildvcs=true
// ./cmd/train` in a clone.
package revision

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"

	"kroo/internal/checksum"
)

// Get returns the commit of the build, with "+changes" if the source tree was modified; or
// "build " and 16 hexadecimal digits of the SHA-256 of the build ID or of the program; or
// "unversioned" if the program cannot be read.
func Get() string {
	name, err := get()
	if err != nil {
		return "unversioned"
	}
	return name
}

// Check returns an error if the program cannot be read to identify it. Commands that write files
// with this name check first, because a later attempt would record another name.
func Check() error {
	if _, err := get(); err != nil {
		return fmt.Errorf("cannot read the program to identify its build, which files record: %w", err)
	}
	return nil
}

var get = sync.OnceValues(func() (string, error) {
	if info, ok := debug.ReadBuildInfo(); ok {
		if r := stamped(info.Settings); r != "" {
			return r, nil
		}
	}
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	return nameOf(path)
})

// nameOf identifies a program by its build ID, or else by its content.
func nameOf(path string) (string, error) {
	if r, err := linked(path); r != "" || err != nil {
		return r, err
	}
	return hashed(path)
}

// stamped returns the commit in the build settings, or "".
func stamped(settings []debug.BuildSetting) string {
	revision, changes := "", ""
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changes = "+changes"
		}
	}
	if revision == "" {
		return ""
	}
	return revision + changes
}

// linked identifies a program by its build ID, a hash of everything it was built from. It
// returns "" if the program has no build ID, and an error if it cannot be read.
func linked(path string) (string, error) {
	f, err := elf.Open(path)
	var other *elf.FormatError
	if errors.As(err, &other) || errors.Is(err, io.EOF) { // not an ELF file, or too short for one
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	note := f.Section(".note.go.buildid")
	if note == nil {
		return "", nil
	}
	id, err := note.Data()
	if err != nil || len(id) == 0 {
		return "", err
	}
	sum := sha256.Sum256(id)
	return "build " + hex.EncodeToString(sum[:])[:16], nil
}

// hashed identifies a program by the content of its file.
func hashed(path string) (string, error) {
	sum, err := checksum.File(path)
	if err != nil {
		return "", err
	}
	return "build " + sum[:16], nil
}
