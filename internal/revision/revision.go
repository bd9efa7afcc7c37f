// Package revision names the build of the program, for files to record.
//
// Go stamps the commit into a program that `go build` makes in a clone. It does not with
// `go run`, with `go test`, in a linked worktree of git, nor where GOFLAGS has
// -buildvcs=false. There the name is a hash of the program itself: it tells builds apart,
// and the same source, flags and version of Go give the same one. To record the commit,
// run `go build -buildvcs=true ./cmd/train` in a clone.
package revision

import (
	"os"
	"runtime/debug"
	"sync"

	"kroo/internal/checksum"
)

// Get returns the commit that the program was built from, with "+changes" if the
// source tree had changes, else "build " and 16 hexadecimal digits of the program's
// SHA-256, or "unversioned" where the program cannot be read.
func Get() string { return get() }

var get = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		if r := stamped(info.Settings); r != "" {
			return r
		}
	}
	path, err := os.Executable()
	if err == nil {
		var r string
		if r, err = hashed(path); err == nil {
			return r
		}
	}
	return "unversioned"
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

// hashed names a program by what its file holds.
func hashed(path string) (string, error) {
	sum, err := checksum.File(path)
	if err != nil {
		return "", err
	}
	return "build " + sum[:16], nil
}
