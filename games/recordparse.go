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
	p := recordParser[P]{game: g, file: file, text: strings.TrimPrefix(string(text), "\ufeff")}
	for {
		err := p.record()
		switch {
		case err == nil && p.at == len(p.text):
			return p.records, nil
		case err == nil:
		case bad == nil || len(p.records) == mostRecords:
			return nil, err
		default:
			bad(err)
			p.skipGame()
		}
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

// recordParser is the state of ParseRecords.
type recordParser[P Position[P]] struct {
	game       *Game[P]
	file, text string // file is for errors
	at         int    // offset of the next byte
	bad        int    // offset of the last error
	records    []Record[P]

	rec      Record[P] // the current record
	tagsAt   []int     // where each tag's value begins
	line     *Line[P]  // the moves of rec; nil until its head is complete
	numbered bool      // a move number was read since the last move
}

// record reads the next record, if any: up to its result, to the next head, or to the end of the
// text.
func (p *recordParser[P]) record() (err error) {
	p.rec, p.tagsAt, p.line, p.numbered = Record[P]{}, nil, nil, false
	if p.rec.Moves, err = p.moves(0, 0); err != nil {
		return err
	}
	if len(p.rec.Tags) == 0 && p.line == nil {
		return nil
	}
	if err := p.beginLine(); err != nil {
		return err
	}
	if p.rec.NoResult = p.rec.Result == ""; p.rec.NoResult {
		p.rec.Result = Unknown
		if p.rec.Tag(TagTermination) != "" || len(p.rec.Moves) == 0 && len(p.rec.Tags) > 0 {
			return p.fail(p.at, "game %d is truncated: expected a result at its end", len(p.records)+1)
		}
	}
	if err := p.applyTag(TagResult, p.resultTag); err != nil {
		return err
	}
	if len(p.records) == mostRecords {
		return p.fail(p.at, "more than %d games: split the file", mostRecords)
	}
	p.records = append(p.records, p.rec)
	return nil
}

// maxNested is the maximum depth of nested variations.
const maxNested = 100

// moves reads the head of a record and its moves, or at a depth above 0 a variation, which begins
// at an offset and ends with a closing parenthesis.
func (p *recordParser[P]) moves(depth, begin int) (moves []MoveText, err error) {
	var words []string // of comments
	keep := func() {   // attaches the comments to the last move
		to := &p.rec.Comment
		if n := len(moves); n > 0 {
			to = &moves[n-1].Comment
		} else if depth > 0 {
			return // they belong to the variation's first move
		}
		*to = strings.Join(append(strings.Fields(*to), words...), " ") // also comments after a variation
		words = nil
	}
	defer func() { keep() }()
	for err == nil {
		p.take(isBlank)
		switch c := p.peek(); {
		case depth > 0 && (p.at == len(p.text) || c == '['):
			return moves, p.fail(begin, "unfinished variation: expected a closing parenthesis")
		case p.at == len(p.text), c == '[' && p.line != nil: // a head after moves begins the next record
			return moves, nil
		case c == '[':
			err = p.tag()
		case c == '{':
			var text string
			if text, err = p.comment(); len(p.rec.Tags) > 0 || p.line != nil {
				words = append(words, strings.Fields(text)...)
			}
		case c == '(' && len(moves) == 0:
			err = p.fail(p.at, "variation without a move before it: expected the move that it replaces")
		case c == '(':
			keep()
			err = p.variation(&moves[len(moves)-1], depth+1)
		case c == ')' && depth > 0:
			if len(moves) == 0 {
				err = p.fail(begin, "empty variation: expected a move")
			}
			p.at++
			return moves, err
		case c == ';':
			p.take(func(b byte) bool { return b != '\n' })
		case c == '.':
			p.at++
		case c == '!' || c == '?' || c == '$':
			if n := p.glyph(); len(moves) > 0 && 1 <= n && n <= len(glyphs) {
				moves[len(moves)-1].Glyph = uint8(n)
			}
		default:
			at := p.at
			switch result := p.result(); {
			case result != "" && depth == 0: // not of a variation
				return moves, p.end(at, result)
			case p.at == at:
				keep()
				var m Move
				m, err = p.move()
				moves = append(moves, MoveText{Move: m})
			}
		}
	}
	return moves, err
}

// variation reads a line that replaces the last move.
func (p *recordParser[P]) variation(last *MoveText, depth int) error {
	begin := p.at
	if depth > maxNested {
		return p.fail(begin, "variations in variations: expected at most %d", maxNested)
	}
	p.at++
	p.line.Undo()
	moves, err := p.moves(depth, begin)
	if err != nil {
		return err
	}
	for range moves {
		p.line.Undo()
	}
	last.Variations = append(last.Variations, moves)
	return p.line.Play(last.Move)
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

// result reads a result: an asterisk, or digits, hyphens and slashes, with optional blanks next to
// the latter. Without one it returns "". It skips a move number, which begins like one. After
// a move number, another number without a dot is not skipped, but read as a move.
func (p *recordParser[P]) result() string {
	begin := p.at
	if p.peek() == '*' {
		p.at++
		return Unknown
	}
	if p.take(isDigit) == "" {
		return ""
	}
	number := p.at
	end := number
	for p.take(isBlank); p.peek() == '-' || p.peek() == '/'; p.take(isBlank) {
		p.at++
		p.take(isBlank)
		p.take(isDigit)
		end = p.at
	}
	if end > number {
		p.at = end
		return strings.Join(strings.FieldsFunc(p.text[begin:end], func(r rune) bool { return r <= ' ' }), "")
	}
	dot := p.peek() == '.'
	if p.at = number; p.numbered && !dot {
		p.at = begin
	}
	p.numbered = true
	return ""
}

// end keeps the result token of the record.
func (p *recordParser[P]) end(at int, result string) error {
	if err := p.beginLine(); err != nil {
		return err
	}
	if seeds, ok := p.line.tallied(result); ok && seeds != result {
		p.rec.Score, result = result, seeds
	}
	if err := p.line.checkResult(result); err != nil {
		return p.fail(at, "%v", err)
	}
	p.rec.Result = result
	return nil
}

// move reads the name of a move and its gain, if annotated, and plays it.
func (p *recordParser[P]) move() (Move, error) {
	if err := p.beginLine(); err != nil {
		return 0, err
	}
	begin, before := p.at, p.line.Position()
	had := p.tally(before)
	m, length, err := p.game.ScanMove(before, p.text[p.at:])
	if err == nil {
		p.at += length
		err = p.line.Play(m)
	}
	if err != nil {
		return 0, p.fail(begin, "%v", err)
	}
	p.numbered = false
	gain := p.game.gain(before, m)
	final := gain
	if _, _, over := p.line.Over(); over && p.game.Tally != nil {
		final = int(p.tally(before) - had)
	}
	return m, p.gain(gain, final)
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
func (p *recordParser[P]) gain(gain, final int) error {
	after := p.at
	p.take(isBlank)
	begin := p.at
	if p.peek() != '+' {
		p.at = after
		return nil
	}
	p.at++
	p.take(isBlank)
	noted := p.take(isDigit)
	if n, err := strconv.Atoi(noted); err != nil || n != gain && n != final {
		return p.fail(begin, "capture noted as %s: expected +%d, as the move captures", Quote("+"+noted), gain)
	}
	return nil
}

// beginLine applies the head of a record before its first move.
func (p *recordParser[P]) beginLine() error {
	if p.line != nil {
		return nil
	}
	rules := p.game.ofVariant(p.rec.Tag(tagVariant))
	err := p.applyTag(TagRules, func(v string) error {
		rules = strings.ToLower(v)
		return p.game.CheckRules(rules)
	})
	if err == nil {
		p.rec.Start, err = p.game.Start(rules)
	}
	if err == nil {
		err = p.applyTag(TagFEN, func(v string) (err error) {
			p.rec.Start, err = p.game.Parse(rules, v)
			return err
		})
	}
	p.line = p.game.NewLine(p.rec.Start)
	return err
}

// applyTag applies the tag with that name, if any, and adds its position to errors. A second
// such tag is an error.
func (p *recordParser[P]) applyTag(name string, apply func(value string) error) error {
	found := false
	for i, t := range p.rec.Tags {
		if t.Name != name {
			continue
		}
		if found {
			return p.fail(p.tagsAt[i], "second tag %s in a record: expected one", name)
		}
		if err := apply(strings.TrimSpace(t.Value)); err != nil {
			return p.fail(p.tagsAt[i], "tag %s: %v", name, err)
		}
		found = true
	}
	return nil
}

// resultTag compares the Result tag with the result token, or uses it as the result if there is
// no token. It ignores values that are not results ("?").
func (p *recordParser[P]) resultTag(tag string) error {
	score := ""
	if result, ok := p.line.tallied(tag); ok && result != tag {
		score, tag = tag, result
	}
	if tag != FirstWins && tag != SecondWins && tag != DrawnGame {
		return nil
	}
	if p.rec.Result == Unknown {
		p.rec.Result, p.rec.Score = tag, score
	}
	if p.rec.Result != tag {
		return fmt.Errorf("%s, but the record ends with %s", tag, p.rec.Result)
	}
	return p.line.checkResult(tag)
}

// skipGame skips the invalid game: it moves to the next head, or to the end.
func (p *recordParser[P]) skipGame() {
	moves := false // a line of the game itself was seen: the next head begins another game
	for p.at = strings.LastIndexByte(p.text[:p.bad], '\n') + 1; p.at < len(p.text); {
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

// fail returns an error at an offset.
func (p *recordParser[P]) fail(at int, format string, args ...any) error {
	p.bad = at
	line := 1 + strings.Count(p.text[:at], "\n")
	column := at - strings.LastIndexByte(p.text[:at], '\n')
	return fmt.Errorf("%s:%d:%d: %s", p.file, line, column, fmt.Sprintf(format, args...))
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
