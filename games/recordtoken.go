package games

import (
	"slices"
	"strconv"
	"strings"
)

const tagNameBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

// token is a piece of the text of a record.
type token struct {
	kind   tokenKind
	at     int    // offset of its first byte
	text   string // of a comment or a result
	number int    // of a glyph or a move; -1 if it is too long
}

type tokenKind uint8

const (
	endToken     tokenKind = iota // end of the text
	tagToken                      // its opening bracket, which is not read: [recordParser.tag] does
	commentToken                  // in braces, or from a semicolon to the end of the line
	openToken                     // opening parenthesis
	closeToken                    // closing parenthesis
	glyphToken                    // annotation of the last move
	numberToken                   // of a move
	resultToken
	moveToken // anything else, which is not read: what moves look like depends on the game
)

// next reads the next token. It skips blanks, dots, and lines that begin with "%", PGN's escape.
func (p *recordParser[P]) next() (token, error) {
	p.skipBlanks()
	t := token{at: p.at}
	var err error
	switch c := p.peek(); {
	case p.at == len(p.text):
		t.kind = endToken
	case c == '[':
		t.kind = tagToken
	case c == '{':
		t.kind = commentToken
		t.text, err = p.comment()
	case c == ';':
		t.kind = commentToken
		t.text = p.lineComment()
	case c == '(':
		t.kind = openToken
		p.at++
	case c == ')':
		t.kind = closeToken
		p.at++
	case c == '!' || c == '?' || c == '$':
		t.kind = glyphToken
		t.number = p.glyph()
	default:
		t.kind, t.text = p.resultOrNumber()
		if t.kind == numberToken {
			t.number, err = strconv.Atoi(t.text)
			if err != nil {
				t.number, err = -1, nil
			}
		}
	}
	return t, err
}

// skipBlanks skips what separates tokens.
func (p *recordParser[P]) skipBlanks() {
	for {
		p.take(func(b byte) bool { return isBlank(b) || b == '.' })
		atLineStart := p.at == 0 || p.text[p.at-1] == '\n'
		if p.peek() != '%' || !atLineStart {
			return
		}
		p.take(func(b byte) bool { return b != '\n' })
	}
}

// tag reads [Name "value"]; a backslash in the value escapes the next byte.
func (p *recordParser[P]) tag() error {
	begin := p.at
	p.at++
	p.take(isBlank)
	name := p.take(func(b byte) bool { return strings.IndexByte(tagNameBytes, b) >= 0 })
	p.take(isBlank)
	if name == "" || p.peek() != '"' {
		return p.fail(begin, `bad tag: expected [Name "value"]`)
	}
	p.at++
	valueAt := p.at
	var value []byte
	for ; p.peek() != '"'; p.at++ {
		if p.peek() == '\\' {
			p.at++
		}
		if c := p.peek(); p.at >= len(p.text) || c == '\n' || c == '\r' {
			return p.fail(begin, "unfinished value of tag %s: expected a closing quote on the same line", Quote(name))
		}
		value = append(value, p.peek())
	}
	p.at++
	p.take(isBlank)
	if p.peek() != ']' {
		return p.fail(begin, "unfinished tag %s: expected a closing bracket", Quote(name))
	}
	p.at++
	p.rec.Tags, p.tagsAt = append(p.rec.Tags, Tag{name, string(value)}), append(p.tagsAt, valueAt)
	return nil
}

// lineComment reads text from a semicolon to the end of the line. Braces in it are harmless, but cannot be
// written back.
func (p *recordParser[P]) lineComment() string {
	p.at++
	text := p.take(func(b byte) bool { return b != '\n' })
	return strings.NewReplacer("{", "(", "}", ")").Replace(text)
}

// comment reads text in braces. An opening brace in it is harmless, but cannot be written back.
func (p *recordParser[P]) comment() (string, error) {
	length := strings.IndexByte(p.text[p.at:], '}')
	if length < 0 {
		return "", p.fail(p.at, "unfinished comment: expected a closing brace")
	}
	text := p.text[p.at+1 : p.at+length]
	p.at += length + 1
	return strings.ReplaceAll(text, "{", "("), nil
}

// glyph reads an annotation of the last move and returns its number. Numbers that overflow, and
// marks without a meaning here, are not glyphs.
func (p *recordParser[P]) glyph() (n int) {
	if p.peek() != '$' {
		return 1 + slices.Index(glyphs, p.take(func(b byte) bool { return b == '!' || b == '?' }))
	}
	p.at++
	n, _ = strconv.Atoi(p.take(isDigit))
	return n
}

// resultOrNumber reads a result: an asterisk, or digits, hyphens and slashes, with optional blanks next to
// the latter; or a move number, which begins like one. Anything else is a move, of which it reads nothing,
// and so is a number without a dot after a move number.
func (p *recordParser[P]) resultOrNumber() (kind tokenKind, text string) {
	begin := p.at
	if p.peek() == '*' {
		p.at++
		return resultToken, Unknown
	}
	digits := p.take(isDigit)
	if digits == "" {
		return moveToken, ""
	}
	afterDigits := p.at
	end := afterDigits
	for p.take(isBlank); p.peek() == '-' || p.peek() == '/'; p.take(isBlank) {
		p.at++
		p.take(isBlank)
		p.take(isDigit)
		end = p.at
	}
	if end > afterDigits {
		p.at = end
		return resultToken, strings.Join(strings.FieldsFunc(p.text[begin:end], func(r rune) bool { return r <= ' ' }), "")
	}
	if p.numbered && p.peek() != '.' {
		p.at = begin
		return moveToken, ""
	}
	p.at, p.numbered = afterDigits, true
	return numberToken, digits
}

// peek returns the next byte, or 0 at the end.
func (p *recordParser[P]) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// take reads the longest, possibly empty sequence of accepted bytes.
func (p *recordParser[P]) take(accepts func(byte) bool) string {
	begin := p.at
	for p.at < len(p.text) && accepts(p.text[p.at]) {
		p.at++
	}
	return p.text[begin:p.at]
}

func isBlank(b byte) bool { return b <= ' ' }

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
