package oware

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const tagNameBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

// ParseOGN reads all the game records of r; file is its name for the errors,
// which also tell line and column (in bytes, from 1).
//
// It is tolerant: tags are optional, spaces and line breaks may stand or be
// missing between any two tokens, move numbers are not looked at, a result may
// be missing (a new head, or the end of the text, then ends the record; the
// Result tag counts if it is a result). Variations (nested to any depth), the
// marks "!", "?" and "$n", and comments from ";" to the end of the line are
// skipped. So are comments in braces outside of a record: before its head, or
// before the first move of one that has no head.
//
// It is strict about the game: every move must be legal where it stands, and
// of the player to move; a capture, when noted ("F+2"), must be what the move
// captures; a result must not contradict a game that the rules ended. Text
// without any record gives no records and no error.
func ParseOGN(r io.Reader, file string) ([]Record, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("oware: read %s: %w", file, err)
	}
	p := ognParser{file: file, text: bytes.TrimPrefix(text, []byte("\ufeff"))}
	for p.skipBlanks(); p.at < len(p.text) && p.err == nil; p.skipBlanks() {
		p.token()
	}
	p.endRecord()
	if p.err != nil {
		return nil, p.err
	}
	return p.records, nil
}

// ognParser is the state of ParseOGN. The first error stops it.
type ognParser struct {
	file    string
	text    []byte
	at      int // the next byte
	records []Record
	err     error

	rec    Record
	open   bool     // rec has begun: a tag, a move or a result was seen
	game   *Game    // the game of rec; nil until its head is complete
	said   []string // the words of the comments since the last move
	tagsAt []int    // where each tag's value begins
}

// fail notes an error at a place of the text, unless there was one before.
func (p *ognParser) fail(at int, format string, args ...any) {
	if p.err != nil {
		return
	}
	line := 1 + bytes.Count(p.text[:at], []byte("\n"))
	column := at - bytes.LastIndexByte(p.text[:at], '\n')
	p.err = fmt.Errorf("oware: %s:%d:%d: %s", p.file, line, column, fmt.Sprintf(format, args...))
}

func isBlank(c byte) bool { return c <= ' ' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// peek is the next byte, or 0 at the end.
func (p *ognParser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *ognParser) skipBlanks() {
	for p.at < len(p.text) && isBlank(p.text[p.at]) {
		p.at++
	}
}

// skipPast moves behind the next end byte. If there is none it says what is
// missing and where that began, or, at the end of the last line, does not mind.
func (p *ognParser) skipPast(end byte, missing string) {
	i := bytes.IndexByte(p.text[p.at:], end)
	switch {
	case i >= 0:
		p.at += i + 1
	case missing != "":
		p.fail(p.at, "%s", missing)
		p.at = len(p.text)
	default:
		p.at = len(p.text)
	}
}

// digits reads the digits at hand.
func (p *ognParser) digits() string {
	begin := p.at
	for isDigit(p.peek()) {
		p.at++
	}
	return string(p.text[begin:p.at])
}

// token reads one token of a record.
func (p *ognParser) token() {
	switch c := p.peek(); {
	case c == '[':
		p.tag()
	case c == '{':
		p.comment()
	case c == '(':
		p.variation()
	case c == ';':
		p.skipPast('\n', "")
	case c == '!' || c == '?' || c == '.':
		p.at++
	case c == '$':
		p.at++
		p.digits()
	case c == '*':
		p.at++
		p.result(p.at-1, Unknown)
	case isDigit(c):
		p.number()
	default:
		p.move()
	}
}

// tag reads [Name "value"]; a backslash in the value takes the next byte as it is.
func (p *ognParser) tag() {
	if p.open && p.game != nil { // a head after moves begins the next record
		p.endRecord()
	}
	begin := p.at
	p.at++
	p.skipBlanks()
	name := p.text[p.at:]
	name = name[:len(name)-len(bytes.TrimLeft(name, tagNameBytes))]
	p.at += len(name)
	p.skipBlanks()
	if len(name) == 0 || p.peek() != '"' {
		p.fail(begin, `bad tag: expected [Name "value"]`)
		return
	}
	p.at++
	valueAt := p.at
	var value []byte
	for p.peek() != '"' {
		if p.peek() == '\\' {
			p.at++
		}
		if c := p.peek(); p.at >= len(p.text) || c == '\n' || c == '\r' {
			p.fail(begin, "unfinished value of tag %s: expected a closing quote on the same line", quote(string(name)))
			return
		}
		value = append(value, p.peek())
		p.at++
	}
	p.at++
	p.skipBlanks()
	if p.peek() != ']' {
		p.fail(begin, "unfinished tag %s: expected a closing bracket", quote(string(name)))
		return
	}
	p.at++
	p.open = true
	p.rec.Tags = append(p.rec.Tags, Tag{string(name), string(value)})
	p.tagsAt = append(p.tagsAt, valueAt)
}

// comment reads text in braces; it belongs to the move before it.
func (p *ognParser) comment() {
	begin := p.at + 1
	p.skipPast('}', "unfinished comment: expected a closing brace")
	if p.err != nil || !p.open {
		return
	}
	// An opening brace in a comment is harmless, but could not be written again.
	text := strings.ReplaceAll(string(p.text[begin:p.at-1]), "{", "(")
	p.said = append(p.said, strings.Fields(text)...)
}

// keepComment gives the comments read since the last move to that move.
func (p *ognParser) keepComment() {
	text := strings.Join(p.said, " ")
	p.said = nil
	if n := len(p.rec.Moves); n > 0 {
		p.rec.Moves[n-1].Comment = text
	} else {
		p.rec.Comment = text
	}
}

// variation skips text in parentheses with all it holds.
func (p *ognParser) variation() {
	begin := p.at
	for depth := 0; ; {
		switch c := p.peek(); {
		case p.at >= len(p.text):
			p.fail(begin, "unfinished variation: expected a closing parenthesis")
			return
		case c == '{':
			p.skipPast('}', "unfinished comment: expected a closing brace")
			continue
		case c == ';':
			p.skipPast('\n', "")
			continue
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
		p.at++
		if depth == 0 {
			return
		}
	}
}

// number reads a move number, or the result that begins like one.
func (p *ognParser) number() {
	begin := p.at
	parts := []byte(p.digits())
	after := p.at
	p.skipBlanks()
	if c := p.peek(); c != '-' && c != '/' {
		p.at = after // dots and the move follow
		return
	}
	// Digits, hyphens and slashes; blanks may stand beside the latter.
	for {
		c := p.peek()
		if c == '-' || c == '/' {
			parts = append(parts, c)
			p.at++
			p.skipBlanks()
			parts = append(parts, p.digits()...)
			after = p.at
			p.skipBlanks()
			continue
		}
		break
	}
	p.at = after
	p.result(begin, string(parts))
}

// result ends the record with a result token.
func (p *ognParser) result(at int, result string) {
	p.beginGame()
	if p.err != nil {
		return
	}
	if err := checkResult(p.game, result); err != nil {
		p.fail(at, "%s", bare(err))
		return
	}
	p.rec.Result = result
	p.endRecord()
}

// move reads a letter with its capture, if noted.
func (p *ognParser) move() {
	begin := p.at
	p.beginGame()
	m, side, err := ParseMove(p.peek())
	if err != nil {
		p.fail(begin, "%s", bare(err))
		return
	}
	p.at++
	if p.err != nil {
		return
	}
	before := p.game.Position()
	if side != before.ToMove() {
		p.fail(begin, "move %s, but it is %s to move", MoveName(m, side), before.ToMove())
		return
	}
	if err := p.game.Play(m); err != nil {
		p.fail(begin, "%s", bare(err))
		return
	}
	p.keepComment()
	p.rec.Moves = append(p.rec.Moves, MoveText{Move: m})
	p.capture(before.Gain(m))
}

// capture checks the note of a capture after a move, if there is one.
func (p *ognParser) capture(gain int) {
	after := p.at
	p.skipBlanks()
	if p.peek() != '+' {
		p.at = after
		return
	}
	begin := p.at
	p.at++
	p.skipBlanks()
	noted := p.digits()
	if n, err := strconv.Atoi(noted); err != nil || n != gain {
		p.fail(begin, "capture noted as %s: expected +%d, as the move captures", quote("+"+noted), gain)
	}
}

// beginGame applies the head of a record before its first move.
func (p *ognParser) beginGame() {
	if p.game != nil {
		return
	}
	p.open = true
	p.rec.Rules = Abapa
	p.applyTag(TagRules, func(v string) (err error) {
		p.rec.Rules, err = ParseRules(strings.ToLower(v))
		return err
	})
	p.rec.Start = Start(p.rec.Rules)
	p.applyTag(TagFEN, func(v string) (err error) {
		p.rec.Start, err = ParseBoard(p.rec.Rules, v)
		return err
	})
	p.game = NewGame(p.rec.Start)
}

// applyTag applies the one tag of that name, if the record has it; the place
// of the tag goes with its errors.
func (p *ognParser) applyTag(name string, apply func(value string) error) {
	found := false
	for i, t := range p.rec.Tags {
		if t.Name != name {
			continue
		}
		if found {
			p.fail(p.tagsAt[i], "second tag %s in a record: expected one", name)
		} else if err := apply(strings.TrimSpace(t.Value)); err != nil {
			p.fail(p.tagsAt[i], "tag %s: %s", name, bare(err))
		}
		found = true
	}
}

// endRecord closes the record, if one is open.
func (p *ognParser) endRecord() {
	if !p.open {
		return
	}
	p.beginGame()
	p.keepComment()
	p.applyTag(TagResult, p.resultTag)
	if p.rec.Result == "" {
		p.rec.Result = Unknown
	}
	p.records = append(p.records, p.rec)
	p.rec, p.open, p.game, p.tagsAt = Record{}, false, nil, nil
}

// resultTag compares the tag with the token, or takes its place. Other texts
// than results ("?", "unfinished") say nothing.
func (p *ognParser) resultTag(tag string) error {
	switch tag {
	case SouthWins, NorthWins, DrawnGame:
	default:
		return nil
	}
	if p.rec.Result == "" || p.rec.Result == Unknown {
		p.rec.Result = tag
	}
	if p.rec.Result != tag {
		return fmt.Errorf("%s, but the record ends with %s", tag, p.rec.Result)
	}
	return checkResult(p.game, tag)
}

// bare is the text of an error of this package without the prefix, for use
// inside another.
func bare(err error) string { return strings.TrimPrefix(err.Error(), "oware: ") }
