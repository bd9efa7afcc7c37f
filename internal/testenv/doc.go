// Package testenv sets up the environment of tests. A test file imports it to have temporary
// folders in memory: Kroo syncs files before renaming them, and waiting for a disk would
// dominate tests that write thousands of small files. It changes nothing if TMPDIR is set, or if
// the system has no such folder with enough space.
package testenv
