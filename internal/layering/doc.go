// Package layering keeps the module's import map, the table in docs/architecture.md: a test reads
// the imports of every source file and fails if a row has other imports, or if a folder imports one
// above it. After a deliberate change,
//
//	go test ./internal/layering -update
//
// writes the imports into the table; a new folder needs a row first, at its place in the order.
package layering
