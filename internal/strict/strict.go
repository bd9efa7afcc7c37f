// Package strict decodes small files and refuses what lenient decoders accept: fields that the
// target does not have, deep nesting, and oversized input. [JSON] also refuses duplicate fields,
// and text after the object.
//
// The outermost value of JSON must be an object. Fields may be missing or null: the caller
// checks the fields that it needs.
package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"kroo/internal/vfs"
	"kroo/internal/wording"
)

// CheckText refuses text that is not UTF-8: JSON, in which records and settings are, would replace its
// bytes, and a changed name would be another file's.
func CheckText(text string) error {
	if !utf8.ValidString(text) {
		return errors.New("it is not UTF-8: rename the file, or give another text")
	}
	return nil
}

// deepestJSON is the maximum nesting of objects and arrays.
const deepestJSON = 16

// ReadJSON decodes all of r, at most maxBytes, into v like [JSON].
func ReadJSON(r io.Reader, maxBytes int, v any) error {
	data, err := io.ReadAll(io.LimitReader(r, int64(maxBytes)+1))
	if err != nil {
		return err
	}
	return JSON(data, maxBytes, v)
}

// JSON decodes one object of at most maxBytes into v, a pointer as for [json.Unmarshal]. Errors
// are one line and contain the offset.
func JSON(data []byte, maxBytes int, v any) error {
	if len(data) > maxBytes {
		return fmt.Errorf("longer than %d bytes: expected a smaller JSON object", maxBytes)
	}
	if err := check(data, reflect.TypeOf(v)); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		err = fmt.Errorf("near byte %d: %w", d.InputOffset(), err)
		if tool := toolField.FindSubmatch(data); tool != nil && strings.Contains(err.Error(), "json: unknown field") {
			return Newer{err, string(tool[1])}
		}
		return err
	}
	return nil
}

// toolField matches the field with the build of the program that wrote a file.
var toolField = regexp.MustCompile(`"tool"\s*:\s*"([^"\\]+)"`)

// Newer is the error for a file with an unknown field that was written by another build of the
// program.
type Newer struct {
	err  error
	tool string
}

func (n Newer) Error() string {
	return fmt.Sprintf("%v; the file was written by %.80q, which may be newer than this program: use that one", n.err, n.tool)
}

// level is an object or an array that is being read.
type level struct {
	fields map[string]string // names so far, by what identifies them; nil for an array
	value  bool              // a name was read, and its value follows
	typ    reflect.Type      // what it is decoded into; nil if unknown
	inner  reflect.Type      // what the next value in it is decoded into; nil if unknown
}

// newLevel returns the level of an object or an array that is decoded into a type.
func newLevel(isObject bool, typ reflect.Type) level {
	for typ != nil && typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if typ != nil && reflect.PointerTo(typ).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		typ = nil
	}
	l := level{typ: typ}
	if isObject {
		l.fields = map[string]string{}
	}
	if typ != nil && (typ.Kind() == reflect.Slice || typ.Kind() == reflect.Array || typ.Kind() == reflect.Map) {
		l.inner = typ.Elem()
	}
	return l
}

// check reads the object to its end without decoding it. It will be decoded into a value of the type.
func check(data []byte, typ reflect.Type) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var open []level
	for begun := false; ; begun = true {
		t, err := d.Token()
		delim, _ := t.(json.Delim)
		switch {
		case !begun && delim != '{':
			return errors.New("byte 0: expected a JSON object")
		case begun && len(open) == 0 && err == io.EOF:
			return nil
		case begun && len(open) == 0:
			return fmt.Errorf("byte %d: expected nothing after the object", d.InputOffset())
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			err = errors.New("the file ends: expected the rest of the object")
		case delim == '}' || delim == ']':
			open = open[:len(open)-1]
			continue
		case err == nil && len(open) > 0 && open[len(open)-1].fields != nil:
			in := &open[len(open)-1]
			in.value = !in.value
			if in.value {
				err = in.add(t)
			}
		}
		if err == nil && delim != 0 {
			if len(open) == deepestJSON {
				err = fmt.Errorf("nested too deep: expected at most %d levels", deepestJSON)
			}
			inner := typ
			if len(open) > 0 {
				inner = open[len(open)-1].inner
			}
			open = append(open, newLevel(delim == '{', inner))
		}
		if err != nil {
			return fmt.Errorf("near byte %d: %w", d.InputOffset(), err)
		}
	}
}

// add notes a field's name. For fields of structs, but not for keys of maps, encoding/json ignores the case,
// in all of Unicode ("ſize" is "size").
func (l *level) add(name json.Token) error {
	text, _ := name.(string) // the decoder refuses other names
	id := text
	if l.typ != nil && l.typ.Kind() == reflect.Struct {
		id = strings.ToUpper(strings.ToLower(text))
		l.inner = fieldType(l.typ, id)
	}
	switch before, again := l.fields[id]; {
	case again && before != text:
		return fmt.Errorf("field %q appears twice, first as %q: expected it once; case does not matter", text, before)
	case again:
		return fmt.Errorf("field %q appears twice: expected it once", text)
	}
	l.fields[id] = text
	return nil
}

// fieldType returns the type of a struct's field by its folded name in JSON; nil if it has none.
func fieldType(of reflect.Type, folded string) reflect.Type {
	for _, f := range reflect.VisibleFields(of) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		if strings.ToUpper(strings.ToLower(name)) == folded {
			return f.Type
		}
	}
	return nil
}

// The decoder keeps the whole path of every key: without these limits, a few kilobytes of nested
// tables would take gigabytes. The size limits the number of keys.
const (
	longestTOML = 128 << 10
	deepestTOML = 6 // brackets, and dots in a key
)

// ReadFile returns the text of a configuration file. It refuses oversized files.
func ReadFile(path string) (string, error) {
	info, err := vfs.Stat(path)
	if err != nil {
		return "", fmt.Errorf("cannot read configuration: %w", err)
	}
	if info.IsDir() {
		return "", fmt.Errorf("%s is a folder: expected a configuration", path)
	}
	if !info.Mode().IsRegular() || info.Size() > longestTOML {
		return "", fmt.Errorf("%s: not a configuration: expected a text file of at most %d bytes", path, longestTOML)
	}
	text, err := vfs.ReadFile(path)
	return string(text), err
}

// Table decodes a text. Errors are one line.
func Table(text string) (table map[string]any, err error) {
	if len(text) > longestTOML {
		return nil, fmt.Errorf("%d bytes: expected a configuration of at most %d", len(text), longestTOML)
	}
	if err := checkDepth(text); err != nil {
		return nil, err
	}
	_, err = toml.Decode(text, &table)
	if err != nil {
		return nil, errors.New(wording.Short(err.Error()))
	}
	return table, nil
}

// checkDepth returns an error for deep nesting, before the decoder reads the text. Brackets and dots in
// strings and comments have no meaning.
func checkDepth(text string) error {
	line := 1
	brackets := 0
	dots := 0
	for i := 0; i < len(text); i++ {
		if n := quotedLen(text[i:]); n > 0 {
			lines := strings.Count(text[i:i+n], "\n")
			if lines > 0 {
				line += lines
				dots = 0
			}
			i += n - 1
			continue
		}
		switch text[i] {
		case '\n':
			line++
			dots = 0
		case '=', ',':
			dots = 0
		case '.':
			dots++
		case '[', '{':
			brackets++
		case ']', '}':
			brackets--
		}
		if max(brackets, dots) > deepestTOML {
			return fmt.Errorf("line %d: nested too deep: expected at most %d levels", line, deepestTOML)
		}
	}
	return nil
}

// quotedLen returns the length of the string or the comment that text begins with, 0 if there is none.
// It reads malformed strings differently from the decoder, which stops there.
func quotedLen(text string) int {
	switch text[0] {
	case '#':
		end := strings.IndexAny(text, "\r\n")
		if end < 0 {
			return len(text)
		}
		return end
	case '"', '\'':
		quote := text[:1]
		triple := strings.Repeat(quote, 3)
		if strings.HasPrefix(text, triple) {
			if end := stringEnd(text[3:], triple, ""); end > 0 {
				rest := strings.TrimLeft(text[3+end:], quote) // up to five quotes end it
				return len(text) - len(rest)
			}
		}
		if end := stringEnd(text[1:], quote, "\n"); end > 0 {
			return 1 + end
		}
	}
	return 0
}

// stringEnd returns where the rest of a string ends, after its closing quotes; 0 if it does not end, or
// not before the byte in stop. In double quotes, a backslash escapes the next byte.
func stringEnd(rest, closing, stop string) int {
	for i := 0; i < len(rest); i++ {
		switch {
		case strings.HasPrefix(rest[i:], closing):
			return i + len(closing)
		case rest[i] == '\\' && closing[0] == '"':
			i++
		case rest[i:i+1] == stop:
			return 0
		}
	}
	return 0
}
