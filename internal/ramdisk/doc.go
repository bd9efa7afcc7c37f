// Package ramdisk has the temporary folders of a test in memory. A test file imports it
// for that effect alone. Our files are synced before they get their names, and a sync
// waits for a disk: tests that write thousands of small files would do little else.
//
// It does nothing where TMPDIR is set, and where the system has no such folder with
// enough room: the tests are slower then.
package ramdisk
