// Package layering has tests and no code. They read the imports of every
// source file of the module and fail on an arrow between folders, or to a
// third-party module, that the map in map_test.go does not have, and on a
// permission that no file uses. docs/architecture.md shows the same map.
//
// To add a folder or an arrow, change the map and say why; then
//
//	go test ./internal/layering -update
//
// writes it into the document.
package layering
