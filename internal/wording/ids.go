package wording

import (
	"regexp"
	"strings"
)

// ids matches the identifiers of builds, inputs and books in records: of a build or commit, the signature of the
// engine, the hash of the inputs of a command, and the checksum of a book before its number of entries.
var ids = regexp.MustCompile(`,? ?\b(?:build [0-9a-f]{16}|[0-9a-f]{40}(?:\+changes)?|bench-[0-9]+(?:-[0-9]+)?)\b|` +
	` of [0-9a-f]{16}\b|\b[0-9a-f]{8} of (?:a book of )?`)

// WithoutIDs returns the record of a command or a search without identifiers, which only programs compare: --json has
// them.
func WithoutIDs(record string) string {
	return strings.TrimPrefix(ids.ReplaceAllString(record, ""), ", ")
}
