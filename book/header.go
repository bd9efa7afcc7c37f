package book

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"unicode/utf16"

	"kroo/internal/outline"
	"kroo/internal/wording"
)

// ownSignature is the first line of books that this package writes.
const ownSignature = "Kroo opening book"

// Names of header fields. Write sets the last three itself.
const (
	FieldRules   = "Rules"   // name of the rule set, as of oware.ParseRules
	FieldEngine  = "Engine"  // engine that searched the positions
	FieldWeights = "Weights" // hash of the weights of the searches
	FieldLimits  = "Limits"  // limits of one search
	FieldMade    = "Made"    // command that made the book
	FieldOmega   = "Omega"   // parameter ω of the drop-out expansion
	// FieldDeepened describes a later pass over a book: its scope and its searches.
	FieldDeepened = "Deepened"

	fieldEntries        = "Entries"        // number of entries; readers use the file size instead
	fieldChecksum       = "CRC-32C"        // of the entries, eight hexadecimal digits
	fieldHeaderChecksum = "Header CRC-32C" // of the header before this line, which is the last
)

// maxHeader is the maximum length of a header, in bytes.
const maxHeader = 1 << 20

// terminator is the line that ends a header.
var terminator = []byte{0, '\n'}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Field is a "Name: value" line. A line without a colon, in a book of another program, is a field
// without a name.
type Field struct{ Name, Value string }

// Header is the text before the entries, without its last, empty line.
type Header struct {
	Signature string // program that made the book; Write uses ours for ""
	Fields    []Field
}

// Get returns the value of the first field with that name, or "".
func (h Header) Get(name string) string {
	v, _ := h.lookup(name)
	return v
}

func (h Header) lookup(name string) (value string, ok bool) {
	for _, f := range h.Fields {
		if f.Name == name {
			return f.Value, true
		}
	}
	return "", false
}

// Facts returns the fields for people, without the identifiers of builds and books.
func (h Header) Facts() (facts []outline.Fact) {
	for _, f := range h.Fields {
		value := wording.WithoutIDs(f.Value)
		if !isOfFile(f.Name) && (f.Value == "" || value != "") {
			facts = append(facts, outline.Fact{Name: f.Name, Value: value})
		}
	}
	return facts
}

// isOfFile reports whether a field is about the file instead of what is in it.
func isOfFile(field string) bool {
	return slices.Contains([]string{fieldEntries, fieldChecksum, fieldHeaderChecksum}, field)
}

// Derive returns the header of a book made from this one: its fields, except those about its making,
// followed by fields.
func (h Header) Derive(fields ...Field) Header {
	derived := Header{}
	for _, f := range h.Fields {
		if f.Name != "" && f.Name != FieldMade { // drop lines of other programs
			derived.Fields = append(derived.Fields, f)
		}
	}
	derived.Fields = append(derived.Fields, fields...)
	return derived
}

// encode returns the bytes of the header, including the terminator, for the given number and
// checksum of entries.
func (h Header) encode(entries int, sum uint32) ([]byte, error) {
	var b bytes.Buffer
	signature := cmp.Or(h.Signature, ownSignature)
	if !printable(signature) {
		return nil, fmt.Errorf("signature %q: expected printable ASCII", signature)
	}
	fmt.Fprintf(&b, "%s\n", signature)
	for _, f := range h.Fields {
		if f.Name == fieldEntries || f.Name == fieldChecksum || f.Name == fieldHeaderChecksum {
			continue // from the book this header was read from
		}
		if f.Name == "" || !printable(f.Name) || strings.Contains(f.Name, ":") || !printable(f.Value) {
			return nil, fmt.Errorf("header field %q: %q: expected a name without colon and a value, in printable ASCII",
				f.Name, f.Value)
		}
		fmt.Fprintf(&b, "%s: %s\n", f.Name, f.Value)
	}
	fmt.Fprintf(&b, "%s: %d\n", fieldEntries, entries)
	fmt.Fprintf(&b, "%s: %08x\n", fieldChecksum, sum)
	fmt.Fprintf(&b, "%s: %08x\n", fieldHeaderChecksum, crc32.Checksum(b.Bytes(), castagnoli))
	b.Write(terminator)
	if b.Len() > maxHeader {
		return nil, fmt.Errorf("header of %d bytes: at most %d", b.Len(), maxHeader)
	}
	return b.Bytes(), nil
}

// printable reports whether s is ASCII text that survives a round trip: no control characters, no
// space at either end.
func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return s == strings.TrimSpace(s)
}

// headerEnd returns the length of the header, including the terminator.
func headerEnd(data []byte) (int, error) {
	head := data[:min(len(data), maxHeader)]
	for at := 0; ; {
		if bytes.HasPrefix(head[at:], terminator) {
			return at + len(terminator), nil
		}
		n := bytes.IndexByte(head[at:], '\n')
		if n < 0 {
			return 0, fmt.Errorf("not a book: its header has no end, a line of the bytes 00 0a, in the first %d bytes",
				len(head))
		}
		at += n + 1
	}
}

// parseHeader parses the header's bytes without the terminator.
func parseHeader(raw []byte) (Header, error) {
	text, err := headerText(raw)
	if err != nil {
		return Header{}, err
	}
	lines := strings.Split(text, "\n")
	h := Header{Signature: strings.TrimSpace(lines[0])}
	if h.Signature == "" {
		return Header{}, errors.New("the header has no signature: expected text in the first line")
	}
	for _, line := range lines[1:] {
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			name, value = "", line
		}
		f := Field{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)}
		if f != (Field{}) {
			h.Fields = append(h.Fields, f)
		}
	}
	return h, nil
}

// headerText decodes the header. ASCII has no zero byte; the UTF-16BE of these books
// always has one.
func headerText(raw []byte) (string, error) {
	if bytes.IndexByte(raw, 0) < 0 {
		return string(raw), nil
	}
	if len(raw)%2 != 0 {
		return "", fmt.Errorf("the header is neither ASCII nor UTF-16BE: zero bytes, but an odd length of %d", len(raw))
	}
	units := make([]uint16, 0, len(raw)/2)
	for i := 0; i < len(raw); i += 2 {
		units = append(units, uint16(raw[i])<<8|uint16(raw[i+1]))
	}
	if len(units) > 0 && units[0] == 0xfeff { // byte order mark
		units = units[1:]
	}
	return string(utf16.Decode(units)), nil
}

// headerChecksum compares the header with the checksum in its last line.
func headerChecksum(raw []byte) (present, right bool) {
	prefix := []byte(fieldHeaderChecksum + ": ")
	last := bytes.LastIndexByte(bytes.TrimSuffix(raw, []byte("\n")), '\n') + 1
	if !bytes.HasPrefix(raw[last:], prefix) {
		return false, false
	}
	want := fmt.Sprintf("%08x\n", crc32.Checksum(raw[:last], castagnoli))
	return true, string(raw[last+len(prefix):]) == want
}
