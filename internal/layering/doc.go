// Package layering keeps the module's import map: tests read the imports of every source file
// and fail if one folder imports another, or a third-party module, without a permission in
// map_test.go, and if no file uses a permission. docs/architecture.md shows the same map.
//
// To add a folder or an import, change the map and give the reason; then
//
//	go test ./internal/layering -update
//
// writes it into the document.
package layering
