// Package revision identifies the build of the program, for files to record.
//
// A program built by `go build` in a clone of the repository contains the commit, which is its
// name. Go omits the commit with `go run` and `go test`, in a linked git worktree, and if
// GOFLAGS contains -buildvcs=false. The name is then a hash: of the build ID that Go's linker
// writes near the beginning of a program, or of the whole program if it is not there. The same
// source, flags and version of Go give the same hash. To record the commit, run `go build
// -buildvcs=true ./cmd/train` in a clone.
package revision

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"runtime/debug"
	"sync"

	"kroo/internal/checksum"
	"kroo/internal/vfs"
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
		if r := stampedRevision(info.Settings); r != "" {
			return r, nil
		}
	}
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	return nameOf(path)
})

// stampedRevision returns the commit in the build settings, or "".
func stampedRevision(settings []debug.BuildSetting) string {
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

// buildMarks precede the build ID: in a note of ELF files, and in programs of other systems.
var buildMarks = []string{"\x04\x00\x00\x00Go\x00\x00", `Go build ID: "`}

// nameOf identifies a program by its build ID, a hash of everything it was built from, or else by
// its content.
func nameOf(path string) (string, error) {
	const near = 64 << 10
	head, err := vfs.ReadStart(path, near)
	if err != nil {
		return "", err
	}
	for _, mark := range buildMarks {
		_, rest, _ := bytes.Cut(head, []byte(mark))
		if end := bytes.IndexAny(rest, "\x00\""); end > 0 {
			sum := sha256.Sum256(rest[:end])
			return "build " + hex.EncodeToString(sum[:])[:16], nil
		}
	}
	sum, err := checksum.File(path)
	if err != nil {
		return "", err
	}
	return "build " + sum[:16], nil
}
