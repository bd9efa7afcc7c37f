package games

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
)

const longestRecords = 512 << 20

// mostRecords limits the memory of records: a record of one byte takes hundreds. Tests lower it.
var mostRecords = 1 << 20

// ParseRecords reads all game records from r; file is the name for errors, which also contain
// line and column (in bytes, from 1).
//
// It is tolerant of form:
//
//   - Tags are optional. Without a Rules tag, the rules are those at the end of the
//     Variant tag, or the game's default.
//   - Spaces and line breaks between tokens are optional, and move numbers are ignored. But a
//     record without tags, after a record that has tags or numbers, must begin with the number 1:
//     moves after a result are an error, not another game.
//   - The final result is optional. The record then ends at the next head or at the end
//     of the text, and its result is that of the Result tag, if any. But truncated text is
//     an error: a head at the end, or moves without a result in a record with a
//     Termination tag.
//   - Where a game counts seeds, a result may be a tally ("25-11"), as other programs
//     write it: the side with more wins.
//   - A move may be followed by glyphs, "$1" to "$6" or symbols such as "?!": the last counts.
//   - Comments are in braces, or from ";" to the end of the line. One before the head or the
//     first move is the record's; one after the result is the last move's if it begins on the
//     same line or no game follows, else the next record's.
//   - Lines that begin with "%" (PGN's escape) and other marks such as "$14" are skipped.
//     Results in variations are ignored.
//
// It is strict about the game: every move, also of variations, must be legal, and belong to
// the side to move. An
// annotated gain ("F+2") must be what the move wins immediately or, for a move that ends the
// game, the total that its side gets. A result must not contradict a game that ended by the
// rules, unless a player had to claim that end ([Info.Claimed]); moves may follow such an end. It must not
// contradict the Result tag: "1-0" with a token "*" is an error.
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
	counted    int    // offset up to which newlines counts
	newlines   int
	records    []Record[P]

	rec      Record[P] // the current record
	tagsAt   []int     // where each tag's value begins
	line     *Line[P]  // the moves of rec; nil until its head is complete
	numbered bool      // a move number was read since the last move

	// The first move of the current and of the last record has a number.
	beginsNumbered, lastBeganNumbered bool
}

// record reads the next record, if any: up to its result and comments on the same line, to the
// next head, or to the end of the text.
func (p *recordParser[P]) record() error {
	p.rec = Record[P]{}
	p.tagsAt = nil
	p.line = nil
	p.numbered, p.beginsNumbered = false, false
	words, err := p.head()
	if err != nil {
		return err
	}
	list, stop, err := p.moves(0, moveList{words: words})
	if err != nil {
		return err
	}
	switch stop.kind {
	case closeToken:
		return p.fail(stop.at, "closing parenthesis without an opening one: expected a move")
	case resultToken:
		if err := p.end(stop); err != nil {
			return err
		}
		list.words, err = p.commentsOnLine(list.words)
		if err != nil {
			return err
		}
	}
	if len(p.rec.Tags) == 0 && p.line == nil {
		p.commentLast(list.words)
		return nil
	}
	list.attachComment(&p.rec.Comment)
	p.rec.Moves = list.moves
	return p.finish()
}

// finish completes the current record and keeps it.
func (p *recordParser[P]) finish() error {
	if err := p.beginLine(); err != nil {
		return err
	}
	p.rec.NoResult = p.rec.Result == ""
	if p.rec.NoResult {
		p.rec.Result = Unknown
		if p.rec.Tag(TagTermination) != "" || len(p.rec.Moves) == 0 && len(p.rec.Tags) > 0 {
			err := p.fail(p.at, "game %d is truncated: expected a result at its end", len(p.records)+1)
			p.bad = p.tagsAt[0] // p.at is in the head of the next game, which is not skipped
			return err
		}
	}
	if err := p.applyTag(TagResult, p.resultTag); err != nil {
		return err
	}
	if len(p.records) == mostRecords {
		return p.fail(p.at, "more than %d games: split the file", mostRecords)
	}
	p.records = append(p.records, p.rec)
	p.lastBeganNumbered = p.beginsNumbered
	return nil
}

// head reads the tags of a record, and returns the words of the comments between them.
func (p *recordParser[P]) head() (words []string, err error) {
	for {
		t, err := p.next()
		if err != nil {
			return nil, err
		}
		switch t.kind {
		case tagToken:
			err = p.tag()
		case commentToken:
			words = append(words, strings.Fields(t.text)...)
		default:
			p.at, p.numbered = t.at, false
			return words, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// maxNested is the maximum depth of nested variations.
const maxNested = 100

// moveList is the moves of a game or a variation, while they are read.
type moveList struct {
	moves []MoveText
	words []string // of the comments since the last move, and of those before the first
}

// attachComment gives the words to the last move. Without a move they are appended to before.
func (l *moveList) attachComment(before *string) {
	if n := len(l.moves); n > 0 {
		before = &l.moves[n-1].Comment
	}
	*before = strings.Join(l.words, " ")
	l.words = nil
}

// moves reads moves up to a token that ends them: a result, a closing parenthesis, a tag, or the
// end of the text. At a depth above 0 they are a variation's, in which results are ignored.
func (p *recordParser[P]) moves(depth int, l moveList) (moveList, token, error) {
	for {
		t, err := p.next()
		if err != nil {
			return l, t, err
		}
		switch t.kind {
		case commentToken:
			l.words = append(l.words, strings.Fields(t.text)...)
		case glyphToken:
			l.annotate(t.number)
		case numberToken:
			if depth == 0 && len(l.moves) == 0 {
				err = p.checkFirstNumber(t)
			}
		case openToken:
			err = p.variation(l.moves, t, depth+1)
		case moveToken:
			err = p.appendMove(&l, t, depth)
		case resultToken:
			if depth == 0 {
				return l, t, nil
			}
		default:
			return l, t, nil
		}
		if err != nil {
			return l, t, err
		}
	}
}

// annotate sets the glyph of the last move; numbers without a meaning here are ignored.
func (l *moveList) annotate(glyph int) {
	if len(l.moves) > 0 && 1 <= glyph && glyph <= len(glyphs) {
		l.moves[len(l.moves)-1].Glyph = uint8(glyph)
	}
}

// appendMove reads a move. The comments before it belong to the move before, or to the record;
// those before the first move of a variation belong to this move.
func (p *recordParser[P]) appendMove(l *moveList, t token, depth int) error {
	if len(l.moves) > 0 || depth == 0 {
		l.attachComment(&p.rec.Comment)
	}
	if len(l.moves) == 0 && depth == 0 {
		if err := p.checkFirstMove(t); err != nil {
			return err
		}
	}
	m, err := p.move()
	l.moves = append(l.moves, MoveText{Move: m})
	return err
}

// checkFirstNumber checks the number of the first move of a record without a head that follows another
// record: only from move 1 can it be a new game. The numbers of other moves are ignored.
func (p *recordParser[P]) checkFirstNumber(t token) error {
	p.beginsNumbered = true
	if p.isHeadless() && t.number != 1 {
		return p.fail(t.at, "moves after the result: expected a tag, or a new game from move 1")
	}
	return nil
}

// checkFirstMove refuses a move without a number as the first of a record that has no head, after a
// record that has a head or numbers: the move more probably belongs to that game.
func (p *recordParser[P]) checkFirstMove(t token) error {
	if p.beginsNumbered || !p.isHeadless() {
		return nil
	}
	last := p.records[len(p.records)-1]
	if len(last.Tags) > 0 || p.lastBeganNumbered {
		return p.fail(t.at, "moves after the result: expected a tag, or a new game from move 1")
	}
	return nil
}

// isHeadless reports whether the current record has no head and is not the first. The record before it
// has a result, since otherwise its moves would continue.
func (p *recordParser[P]) isHeadless() bool {
	return len(p.records) > 0 && len(p.rec.Tags) == 0
}

// variation reads a line that replaces the last of the moves, after its opening parenthesis.
func (p *recordParser[P]) variation(moves []MoveText, open token, depth int) error {
	switch {
	case len(moves) == 0:
		return p.fail(open.at, "variation without a move before it: expected the move that it replaces")
	case depth > maxNested:
		return p.fail(open.at, "variations in variations: expected at most %d", maxNested)
	}
	last := &moves[len(moves)-1]
	p.line.Undo()
	list, stop, err := p.moves(depth, moveList{})
	switch {
	case err != nil:
		return err
	case stop.kind != closeToken:
		return p.fail(open.at, "unfinished variation: expected a closing parenthesis")
	case len(list.moves) == 0:
		return p.fail(open.at, "empty variation: expected a move")
	}
	list.attachComment(nil)
	for range list.moves {
		p.line.Undo()
	}
	last.Variations = append(last.Variations, list.moves)
	return p.line.Play(last.Move)
}

// commentsOnLine appends the words of the comments after a result, on its line. They belong to the game that
// ends; comments on later lines belong to the next.
func (p *recordParser[P]) commentsOnLine(words []string) ([]string, error) {
	for {
		p.take(func(b byte) bool { return isBlank(b) && b != '\n' })
		if c := p.peek(); c != '{' && c != ';' {
			return words, nil
		}
		t, err := p.next()
		if err != nil {
			return nil, err
		}
		words = append(words, strings.Fields(t.text)...)
	}
}

// commentLast gives the words of comments at the end of the text to the last record, if there is one.
func (p *recordParser[P]) commentLast(words []string) {
	if len(p.records) == 0 || len(words) == 0 {
		return
	}
	last := &p.records[len(p.records)-1]
	to := &last.Comment
	if n := len(last.Moves); n > 0 {
		to = &last.Moves[n-1].Comment
	}
	*to = strings.TrimSpace(*to + " " + strings.Join(words, " "))
}

// end keeps the result token of the record.
func (p *recordParser[P]) end(t token) error {
	result := t.text
	if err := p.beginLine(); err != nil {
		return err
	}
	if seeds, ok := p.line.resultOfTally(result); ok && seeds != result {
		p.rec.Score, result = result, seeds
	}
	if err := p.line.checkResult(result); err != nil {
		return p.fail(t.at, "%v", err)
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
	if result, ok := p.line.resultOfTally(tag); ok && result != tag {
		score, tag = tag, result
	}
	if tag != FirstWins && tag != SecondWins && tag != DrawnGame {
		return nil
	}
	if p.rec.NoResult {
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
	if at < p.counted {
		p.counted = 0
		p.newlines = 0
	}
	p.newlines += strings.Count(p.text[p.counted:at], "\n")
	p.counted = at
	line := 1 + p.newlines
	column := at - strings.LastIndexByte(p.text[:at], '\n')
	return fmt.Errorf("%s:%d:%d: %s", p.file, line, column, fmt.Sprintf(format, args...))
}
