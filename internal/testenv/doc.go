// Package testenv is how tests run. A test file imports it so that temporary folders are
// in memory: our files are synced before they get their names, and a sync waits for a
// disk, so tests that write thousands of small files would do little else. Where TMPDIR
// is set, or the system has no such folder with enough room, they are where they were.
package testenv
