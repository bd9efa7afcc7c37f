package games

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

const longestRecords = 512 << 20

// mostRecords limits the memory of records: a record of one byte takes hundreds. Tests lower it.
var mostRecords = 1 << 20

const tagNameBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

// ParseRecords reads all game records from r; file is the name for errors, which also contain
// line and column (in bytes, from 1).
//
// It is tolerant of form:
//
//   - Tags are optional. Without a Rules tag, the rules are those at the end of the
//     Variant tag, or the game's default.
//   - Spaces and line breaks between tokens are optional. Move numbers are ignored.
//   - The final result is optional. The record then ends at the next head or at the end
//     of the text, and its result is that of the Result tag, if any. But truncated text is
//     an error: a head at the end, or moves without a result in a record with a
//     Termination tag.
//   - Where a game counts seeds, a result may be a tally ("25-11"), as other programs
//     write it: the side with more wins.
//   - A move may be followed by glyphs, "$1" to "$6" or symbols such as "?!": the last counts.
//   - Other marks such as "$14", and comments from ";" to the end of the line are skipped,
//     and so are comments in braces outside a record: before its head, or before the first
//     move if it has no head. Results in variations are ignored.
//
// It is strict about the game: every move, also of variations, must be legal, and belong to
// the side to move. An
// annotated gain ("F+2") must be what the move wins immediately or, for a move that ends the
// game, the total that its side gets. A result must not contradict a game that ended by the
// rules, unless a player had to claim that end ([Info.Claimed]); moves may follow such an end.
// Text without records is not an error.
func (g *Game[P]) ParseRecords(r io.Reader, file string) ([]Record[P], error) {
	return g.parseRecords(r, file, nil)
}

// ParseGood is like ParseRecords but skips invalid games: it calls bad with each error and
// continues at the next head. If no game is valid, it returns the first error.
func (g *Game[P]) ParseGood(r io.Reader, file string, bad func(error)) ([]Record[P], error) {
	var first error
	records, err := g.parseRecords(r, file, func(err error) {
		if first == nil {
			first = err
		}
		bad(err)
	})
	if err == nil && len(records) == 0 {
		err = first
	}
	return records, err
}

func (g *Game[P]) parseRecords(r io.Reader, file string, bad func(error)) ([]Record[P], error) {
	text, err := io.ReadAll(io.LimitReader(r, longestRecords+1))
	if named := (*fs.PathError)(nil); errors.As(err, &named) {
		return nil, err
	} else if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	if len(text) > longestRecords {
		return nil, fmt.Errorf("%s: more than %d MiB of games: split it", file, longestRecords>>20)
	}
	if err := otherText(text); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	p := recordParser[P]{
		cursor: cursor{file: file, text: strings.TrimPrefix(string(text), "\ufeff")},
		game:   g,
	}
	for {
		for p.skipBlanks(); p.at < len(p.text) && p.err == nil; p.skipBlanks() {
			p.token()
		}
		if p.err == nil {
			p.endRecord()
		}
		if p.err == nil {
			return p.records, nil
		}
		if bad == nil || len(p.records) == mostRecords {
			return nil, p.err
		}
		bad(p.err)
		p.skipGame()
	}
}

// otherText returns an error if b is compressed, or not in UTF-8.
func otherText(b []byte) error {
	switch {
	case bytes.HasPrefix(b, []byte{0x1f, 0x8b}):
		return errors.New("compressed with gzip: expected text; unpack it first")
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}), bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		return errors.New("text in UTF-16: expected UTF-8, convert it first")
	}
	return nil
}

// skipGame skips the invalid game: it moves to the next head, or to the end.
func (p *recordParser[P]) skipGame() {
	p.rec, p.open, p.numbered, p.line, p.tagsAt, p.words, p.above, p.err = Record[P]{}, false, false, nil, nil, nil, nil, nil
	begin := strings.LastIndexByte(p.text[:p.bad], '\n') + 1
	moves := false // a line of the game itself was seen: the next head begins another game
	for p.at = begin; p.at < len(p.text); {
		line, _, _ := strings.Cut(p.text[p.at:], "\n")
		switch head := strings.HasPrefix(strings.TrimSpace(line), "["); {
		case head && moves:
			return
		case !head && strings.TrimSpace(line) != "":
			moves = true
		}
		p.at = min(len(p.text), p.at+len(line)+1)
	}
}

// recordParser is the state of ParseRecords. The first error stops it.
type recordParser[P Position[P]] struct {
	cursor
	game    *Game[P]
	records []Record[P]

	rec      Record[P]
	numbered bool     // a move number was read since the last move
	open     bool     // part of rec was read: a tag, move or result
	line     *Line[P] // the moves of rec; nil until its head is complete
	words    []string // of the comments since the last move
	tagsAt   []int    // where each tag's value begins
	above    []branch // the lines that contain the current variation, outermost first
}

// branch is a line suspended at its last move while a variation is read.
type branch struct {
	begin int // where the variation begins
	moves []MoveText
}

// maxNested is the maximum depth of nested variations.
const maxNested = 100

// token reads one token of a record.
func (p *recordParser[P]) token() {
	switch c := p.peek(); {
	case c == '[':
		p.tag()
	case c == '{':
		p.comment()
	case c == '(':
		p.openVariation()
	case c == ')' && len(p.above) > 0:
		p.closeVariation()
	case c == ';':
		p.skipPast('\n', "")
	case c == '.':
		p.at++
	case c == '!' || c == '?' || c == '$':
		p.glyph()
	case c == '*':
		p.at++
		p.result(p.at-1, Unknown)
	case isDigit(c):
		p.number()
	default:
		p.move()
	}
}

// tag reads [Name "value"]; a backslash in the value escapes the next byte.
func (p *recordParser[P]) tag() {
	if p.open && p.line != nil { // a head after moves begins the next record
		p.endRecord()
	}
	begin := p.at
	p.at++
	p.skipBlanks()
	name := p.text[p.at:]
	name = name[:len(name)-len(strings.TrimLeft(name, tagNameBytes))]
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
			p.fail(begin, "unfinished value of tag %s: expected a closing quote on the same line", Quote(name))
			return
		}
		value = append(value, p.peek())
		p.at++
	}
	p.at++
	p.skipBlanks()
	if p.peek() != ']' {
		p.fail(begin, "unfinished tag %s: expected a closing bracket", Quote(name))
		return
	}
	p.at++
	p.open = true
	p.rec.Tags = append(p.rec.Tags, Tag{name, string(value)})
	p.tagsAt = append(p.tagsAt, valueAt)
}

// comment reads text in braces; it belongs to the preceding move.
func (p *recordParser[P]) comment() {
	begin := p.at + 1
	p.skipPast('}', "unfinished comment: expected a closing brace")
	if p.err != nil || !p.open {
		return
	}
	// An opening brace in a comment is harmless, but cannot be written back.
	text := strings.ReplaceAll(p.text[begin:p.at-1], "{", "(")
	p.words = append(p.words, strings.Fields(text)...)
}

// keepComment attaches the comments read since the last move to that move.
func (p *recordParser[P]) keepComment() {
	to := &p.rec.Comment
	if n := len(p.rec.Moves); n > 0 {
		to = &p.rec.Moves[n-1].Comment
	} else if len(p.above) > 0 {
		return // it belongs to the variation's first move
	}
	*to = strings.Join(append(strings.Fields(*to), p.words...), " ") // also comments after a variation
	p.words = nil
}

// openVariation begins a line that replaces the last move.
func (p *recordParser[P]) openVariation() {
	switch {
	case len(p.rec.Moves) == 0:
		p.fail(p.at, "variation without a move before it: expected the move that it replaces")
		return
	case len(p.above) == maxNested:
		p.fail(p.at, "variations in variations: expected at most %d", maxNested)
		return
	}
	p.keepComment()
	p.above = append(p.above, branch{p.at, p.rec.Moves})
	p.rec.Moves = nil
	p.line.Undo()
	p.at++
}

// closeVariation returns to the line before the variation.
func (p *recordParser[P]) closeVariation() {
	up := p.above[len(p.above)-1]
	if len(p.rec.Moves) == 0 {
		p.fail(up.begin, "empty variation: expected a move")
		return
	}
	p.keepComment()
	for range p.rec.Moves {
		p.line.Undo()
	}
	last := &up.moves[len(up.moves)-1]
	last.Variations = append(last.Variations, p.rec.Moves)
	p.above, p.rec.Moves = p.above[:len(p.above)-1], up.moves
	if err := p.line.Play(last.Move); err != nil {
		p.fail(p.at, "%v", err)
	}
	p.at++
}

// glyph reads an annotation of the last move. Marks without a meaning here are skipped.
func (p *recordParser[P]) glyph() {
	n := 0
	if p.peek() == '$' {
		p.at++
		n, _ = strconv.Atoi(p.digits()) // numbers that overflow are not glyphs
	} else {
		begin := p.at
		for p.peek() == '!' || p.peek() == '?' {
			p.at++
		}
		n = 1 + slices.Index(glyphs, p.text[begin:p.at])
	}
	if last := len(p.rec.Moves) - 1; last >= 0 && 1 <= n && n <= len(glyphs) {
		p.rec.Moves[last].Glyph = uint8(n)
	}
}

// number reads a move number, or a result, which begins like one. After a move number, another
// number without a dot is read as a move.
func (p *recordParser[P]) number() {
	begin := p.at
	parts := []byte(p.digits())
	after := p.at
	p.skipBlanks()
	if c := p.peek(); c != '-' && c != '/' {
		if p.at = after; p.numbered && c != '.' {
			p.at = begin
			p.move()
			return
		}
		p.numbered = true
		return
	}
	// Digits, hyphens and slashes, with optional blanks next to the latter.
	for c := p.peek(); c == '-' || c == '/'; c = p.peek() {
		parts = append(parts, c)
		p.at++
		p.skipBlanks()
		parts = append(parts, p.digits()...)
		after = p.at
		p.skipBlanks()
	}
	p.at = after
	p.result(begin, string(parts))
}

// result ends the record with a result token.
func (p *recordParser[P]) result(at int, result string) {
	if len(p.above) > 0 { // the result of a variation, not of the game
		return
	}
	p.beginLine()
	if p.err != nil {
		return
	}
	if seeds, ok := p.line.tallied(result); ok && seeds != result {
		p.rec.Score, result = result, seeds
	}
	if err := p.line.checkResult(result); err != nil {
		p.fail(at, "%v", err)
		return
	}
	p.rec.Result = result
	p.endRecord()
}

// move reads the name of a move and its gain, if annotated.
func (p *recordParser[P]) move() {
	p.beginLine()
	if p.err != nil {
		return
	}
	begin, before := p.at, p.line.Position()
	had := p.tally(before)
	m, length, err := p.game.ScanMove(before, p.text[p.at:])
	if err == nil {
		p.at += length
		err = p.line.Play(m)
	}
	if err != nil {
		p.fail(begin, "%v", err)
		return
	}
	p.keepComment()
	p.rec.Moves, p.numbered = append(p.rec.Moves, MoveText{Move: m}), false
	gain := p.game.gain(before, m)
	final := gain
	if _, _, over := p.line.Over(); over && p.game.Tally != nil {
		final = int(p.tally(before) - had)
	}
	p.gain(gain, final)
}

// tally returns the units that the side to move in position of has on the line, 0 in games
// without a tally.
func (p *recordParser[P]) tally(of P) float64 {
	if p.game.Tally == nil {
		return 0
	}
	first, second := p.game.Tally(p.line)
	if p.game.SideToMove(of) == 0 {
		return first
	}
	return second
}

// gain checks the gain annotated after a move, if any. Some programs annotate the last move with
// final, the total that its side gets.
func (p *recordParser[P]) gain(gain, final int) {
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
	n, err := strconv.Atoi(noted)
	if err != nil || n != gain && n != final {
		p.fail(begin, "capture noted as %s: expected +%d, as the move captures", Quote("+"+noted), gain)
	}
}

// beginLine applies the head of a record before its first move.
func (p *recordParser[P]) beginLine() {
	if p.line != nil {
		return
	}
	p.open = true
	rules := p.game.ofVariant(p.rec.Tag(tagVariant))
	p.applyTag(TagRules, func(v string) error {
		rules = strings.ToLower(v)
		return p.game.CheckRules(rules)
	})
	if p.err != nil {
		return
	}
	p.rec.Start, p.err = p.game.Start(rules)
	p.applyTag(TagFEN, func(v string) (err error) {
		p.rec.Start, err = p.game.Parse(rules, v)
		return err
	})
	p.line = p.game.NewLine(p.rec.Start)
}

// applyTag applies the tag with that name, if any, and adds its position to errors. A second
// such tag is an error.
func (p *recordParser[P]) applyTag(name string, apply func(value string) error) {
	found := false
	for i, t := range p.rec.Tags {
		if t.Name != name {
			continue
		}
		if found {
			p.fail(p.tagsAt[i], "second tag %s in a record: expected one", name)
		} else if err := apply(strings.TrimSpace(t.Value)); err != nil {
			p.fail(p.tagsAt[i], "tag %s: %v", name, err)
		}
		found = true
	}
}

// endRecord ends the current record, if any.
func (p *recordParser[P]) endRecord() {
	if !p.open {
		return
	}
	if len(p.above) > 0 {
		p.fail(p.above[0].begin, "unfinished variation: expected a closing parenthesis")
		return
	}
	p.beginLine()
	if p.err != nil {
		return
	}
	if p.rec.NoResult = p.rec.Result == ""; p.rec.NoResult && p.cut() {
		p.fail(p.at, "game %d is truncated: expected a result at its end", len(p.records)+1)
		return
	}
	p.keepComment()
	p.applyTag(TagResult, p.resultTag)
	if p.err != nil {
		return
	}
	if p.rec.Result == "" {
		p.rec.Result = Unknown
	}
	if len(p.records) == mostRecords {
		p.fail(p.at, "more than %d games: split the file", mostRecords)
		return
	}
	p.records = append(p.records, p.rec)
	p.rec, p.open, p.numbered, p.line, p.tagsAt = Record[P]{}, false, false, nil, nil
}

// cut reports whether a record without a result token is truncated.
func (p *recordParser[P]) cut() bool {
	return p.rec.Tag(TagTermination) != "" || len(p.rec.Moves) == 0 && len(p.rec.Tags) > 0
}

// resultTag compares the Result tag with the result token, or uses it as the result if there is
// no token. It ignores values that are not results ("?").
func (p *recordParser[P]) resultTag(tag string) error {
	score := ""
	if result, ok := p.line.tallied(tag); ok && result != tag {
		score, tag = tag, result
	}
	switch tag {
	case FirstWins, SecondWins, DrawnGame:
	default:
		return nil
	}
	if p.rec.Result == "" || p.rec.Result == Unknown {
		p.rec.Result = tag
		p.rec.Score = score
	}
	if p.rec.Result != tag {
		return fmt.Errorf("%s, but the record ends with %s", tag, p.rec.Result)
	}
	return p.line.checkResult(tag)
}

// cursor is a position in the text of a file of records. It keeps the first error.
type cursor struct {
	file string // for errors
	text string
	at   int // offset of the next byte
	err  error
	bad  int // offset of err
}

// fail records an error at an offset, unless there was one before.
func (c *cursor) fail(at int, format string, args ...any) {
	if c.err != nil {
		return
	}
	line := 1 + strings.Count(c.text[:at], "\n")
	column := at - strings.LastIndexByte(c.text[:at], '\n')
	c.bad = at
	c.err = fmt.Errorf("%s:%d:%d: %s", c.file, line, column, fmt.Sprintf(format, args...))
}

func isBlank(b byte) bool { return b <= ' ' }
func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// peek returns the next byte, or 0 at the end.
func (c *cursor) peek() byte {
	if c.at < len(c.text) {
		return c.text[c.at]
	}
	return 0
}

func (c *cursor) skipBlanks() {
	for c.at < len(c.text) && isBlank(c.text[c.at]) {
		c.at++
	}
}

// skipPast moves past the next byte end. If there is none, it moves to the end of the text and,
// unless missing is empty, fails with this message.
func (c *cursor) skipPast(end byte, missing string) {
	i := strings.IndexByte(c.text[c.at:], end)
	if i >= 0 {
		c.at += i + 1
		return
	}
	if missing != "" {
		c.fail(c.at, "%s", missing)
	}
	c.at = len(c.text)
}

// digits reads a possibly empty sequence of digits.
func (c *cursor) digits() string {
	begin := c.at
	for isDigit(c.peek()) {
		c.at++
	}
	return c.text[begin:c.at]
}
