// Package revision names the revision of the program, for files to record.
package revision

import "runtime/debug"

const unversioned = "unversioned"

// Get returns the commit that the program was built from, with "+changes" if the
// source tree had changes, or "unversioned".
func Get() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unversioned
	}
	revision, dirty := unversioned, ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	return revision + dirty
}
