// Package layering holds a test and no code: it reads the imports of every
// source file of the module and fails on an arrow between folders, or to a
// third-party module, that its table does not have. The table is the one of
// docs/architecture.md as Go data; to add a folder or an arrow, change both
// and say why.
package layering
