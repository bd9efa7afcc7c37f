// Package brotli is the decoder of github.com/andybalholm/brotli v1.2.8, file by file, in
// the place of the whole. Arrow imports both directions; Kroo reads Parquet files that
// others wrote with Brotli, and writes none. The dictionary stands in a file of its own.
package brotli
