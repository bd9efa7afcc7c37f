// Package revision names the build of the program, for files to record.
//
// A program that `go build` makes in a clone of the repository holds the commit, and that
// is its name. Go leaves the commit out with `go run` and `go test`, in a linked worktree of
// git, and where GOFLAGS has -buildvcs=false. The name is then a hash: of the build ID that
// Go's linker writes into ELF files, or of the whole program on other systems. The same
// source, flags and version of Go give the same hash. To record the commit, run
// `go build -buildvcs=true ./cmd/train` in a clone.
package revision

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"os"
	"runtime/debug"
	"sync"

	"kroo/internal/checksum"
)

// Get returns the commit that the program was built from, with "+changes" if the
// source tree had changes, else "build " and 16 hexadecimal digits of the SHA-256 of the
// build ID or of the program, or "unversioned" where the program cannot be read.
func Get() string { return get() }

var get = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		if r := stamped(info.Settings); r != "" {
			return r
		}
	}
	path, err := os.Executable()
	if err != nil {
		return "unversioned"
	}
	if r := linked(path); r != "" {
		return r
	}
	r, err := hashed(path)
	if err != nil {
		return "unversioned"
	}
	return r
})

// stamped is the commit among the settings of a build, or "".
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

// linked names a program by its build ID, a hash of all that it was built from: "" where it
// has none.
func linked(path string) string {
	f, err := elf.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	note := f.Section(".note.go.buildid")
	if note == nil {
		return ""
	}
	id, err := note.Data()
	if err != nil || len(id) == 0 {
		return ""
	}
	sum := sha256.Sum256(id)
	return "build " + hex.EncodeToString(sum[:])[:16]
}

// hashed names a program by what its file holds.
func hashed(path string) (string, error) {
	sum, err := checksum.File(path)
	if err != nil {
		return "", err
	}
	return "build " + sum[:16], nil
}
