package games

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// IsRecords reports whether a file name has the extension of game records, .ogn.
func IsRecords(path string) bool { return strings.EqualFold(filepath.Ext(path), ".ogn") }

// Tag is one line of the head of a game record: [Name "Value"].
type Tag struct{ Name, Value string }

// Tags with a meaning here; all others are kept unchanged.
const (
	TagRules = "Rules" // the rule set; if absent, the game's default
	// tagVariant is the game and its rules in files of other programs: "Oware Abapa".
	tagVariant = "Variant"
	TagFEN     = "FEN"    // the initial board in the game's board text
	TagResult  = "Result" // the same as the result token
	// TagTermination is the reason why the game ended. A record with this tag but without a
	// final result token is truncated.
	TagTermination = "Termination"
)

// DetectGame detects the game of a file of records: the one with the most matching tags in head,
// by its name or rules in the tags Variant and Rules, and by the names of its sides. Without a
// match, or with a tie, it is the first in all.
func DetectGame(head string, all []Info) Info {
	best, most := all[0], 0
	for _, g := range all {
		n := 0
		for line := range strings.Lines(head) {
			name, value, _ := strings.Cut(strings.Trim(line, "\ufeff[] \r\n"), " ")
			value = strings.ToLower(strings.Trim(value, `" `))
			variant, _, _ := strings.Cut(value, " ")
			if name == tagVariant && variant == g.Name || name == TagRules && slices.Contains(g.Rules, value) ||
				slices.Contains(g.Sides[:], name) {
				n++
			}
		}
		if n > most {
			best, most = g, n
		}
	}
	return best
}

// OpeningComment is the comment of moves that a match prescribes: its players did not choose them.
const OpeningComment = "opening"

// MoveText is a move of a record with the comment that follows it, if any, and variations, which
// are lines that replace this move. White space in comments is not significant.
type MoveText struct {
	Move       Move
	Glyph      uint8 // annotation as numbered in PGN: $1 to $6, 0 for none
	Comment    string
	Variations [][]MoveText
}

// glyphs are the symbols of $1, $2, …: good, bad, very good, very bad, interesting, dubious.
var glyphs = []string{"!", "?", "!!", "??", "!?", "?!"}

// Record is a game as stored in files, the counterpart of chess's PGN. The fields Start and
// Result take precedence over the tags FEN, Rules and Result, which [Game.WriteRecord] writes
// from the fields.
type Record[P Position[P]] struct {
	Tags    []Tag
	Start   P
	Comment string // comment before the first move
	Moves   []MoveText
	Result  string // one of the result constants
	Score   string // the units of each side at the end, "25-11", if the text gives the result in this form
	// NoResult: the text had no result token, so the record may be truncated.
	NoResult bool
}

// Results of a record. A game may be won by resignation before the rules end it.
const (
	FirstWins  = "1-0" // the first of the game's sides wins
	SecondWins = "0-1"
	DrawnGame  = "1/2-1/2"
	Unknown    = "*" // unfinished, or not given
)

// Tag returns the value of the first tag with that name, or "".
func (rec Record[P]) Tag(name string) string {
	for _, t := range rec.Tags {
		if t.Name == name {
			return t.Value
		}
	}
	return ""
}

// tagMade names the command that made a file, in its first record.
const tagMade = "Made"

// MadeBy returns the record marked as the first of a file made by command. An empty command
// removes the mark.
func (rec Record[P]) MadeBy(command string) Record[P] {
	rec.Tags = slices.DeleteFunc(slices.Clone(rec.Tags), func(t Tag) bool { return t.Name == tagMade })
	if command != "" {
		rec.Tags = append(rec.Tags, Tag{tagMade, command})
	}
	return rec
}

// Identity is equal for records with the same start position and moves.
func (g *Game[P]) Identity(rec Record[P]) string {
	b := []byte(g.Print(rec.Start))
	for _, m := range rec.Moves {
		b = fmt.Appendf(b, " %d", m.Move)
	}
	return string(b)
}

// Replay plays the moves of a record. It returns an error at the first illegal move.
func (g *Game[P]) Replay(rec Record[P]) (*Line[P], error) {
	l := g.NewLine(rec.Start)
	for i, m := range rec.Moves {
		if err := l.Play(m.Move); err != nil {
			return nil, fmt.Errorf("%w (ply %d)", err, i+1)
		}
	}
	return l, nil
}

// Record returns the record of the line, with its result if the game is over.
func (l *Line[P]) Record(tags ...Tag) Record[P] {
	rec := Record[P]{Tags: tags, Start: l.Start(), Result: l.Result()}
	for _, m := range l.moves {
		rec.Moves = append(rec.Moves, MoveText{Move: m})
	}
	return rec
}

// Result returns the result of the line, Unknown unless the game is over.
func (l *Line[P]) Result() string {
	switch diff, _, over := l.Over(); {
	case !over:
		return Unknown
	case diff > 0:
		return FirstWins
	case diff < 0:
		return SecondWins
	}
	return DrawnGame
}

// checkResult returns an error if result is not a result, or contradicts an end of the game that
// no player had to claim.
func (l *Line[P]) checkResult(result string) error {
	switch result {
	case Unknown:
		return nil
	case FirstWins, SecondWins, DrawnGame:
		_, reason, _ := l.Over()
		if by := l.Result(); by != Unknown && by != result && !l.game.claims(reason) {
			return fmt.Errorf("result %s of a game that ended %s", result, by)
		}
		return nil
	}
	return fmt.Errorf("result %s: expected 1-0, 0-1, 1/2-1/2 or *", Quote(result))
}

// resultOfTally returns the result that a tally such as "25-11" gives. ok is false for other texts,
// and in games without a tally.
func (l *Line[P]) resultOfTally(text string) (result string, ok bool) {
	a, b, found := strings.Cut(text, "-")
	first, err1 := strconv.ParseUint(a, 10, 16)
	second, err2 := strconv.ParseUint(b, 10, 16)
	if l.game.Tally == nil || !found || err1 != nil || err2 != nil || first+second > 2*uint64(l.game.UnitsPerWin) {
		return "", false
	}
	switch {
	case first > second:
		return FirstWins, true
	case first < second:
		return SecondWins, true
	}
	return DrawnGame, true
}

// ofVariant returns the rule set named at the end of a Variant tag, or the game's default.
func (g *Game[P]) ofVariant(variant string) string {
	words := strings.Fields(strings.ToLower(variant))
	if len(words) > 0 && slices.Contains(g.Rules, words[len(words)-1]) {
		return words[len(words)-1]
	}
	return g.Rules[0]
}

// gain returns the immediate gain of a move, 0 in games without gains.
func (g *Game[P]) gain(p P, m Move) int {
	if g.Gain == nil {
		return 0
	}
	return g.Gain(p, m)
}

// WithRoster returns a record in the form that the best-known oware program opens. It begins
// with the tags Variant, Event, Site, Date, Round, the two sides and Result, in this order, with
// "?" for unknown values. A comment before the first move becomes part of that move's comment.
func (g *Game[P]) WithRoster(rec Record[P]) Record[P] {
	names := []string{tagVariant, "Event", "Site", "Date", "Round", g.Sides[0], g.Sides[1], TagResult}
	tags := make([]Tag, 0, len(names)+len(rec.Tags))
	known := map[string]bool{}
	for _, name := range names {
		value := rec.Tag(name)
		switch {
		case name == tagVariant && value == "":
			value = capital(g.Name) + " " + capital(g.RulesOf(rec.Start))
		case value == "":
			value = "?"
		}
		tags = append(tags, Tag{name, value})
		known[name] = true
	}
	for _, t := range rec.Tags {
		if !known[t.Name] {
			tags = append(tags, t)
		}
	}
	rec.Tags = tags
	if rec.Comment != "" {
		rec.Moves = append([]MoveText{}, rec.Moves...)
		if len(rec.Moves) > 0 {
			first := &rec.Moves[0]
			first.Comment = strings.TrimSpace(rec.Comment + " " + first.Comment)
		}
		rec.Comment = ""
	}
	return rec
}

// capital capitalises a word.
func capital(word string) string {
	for i, r := range word {
		return string(unicode.ToUpper(r)) + word[i+len(string(r)):]
	}
	return word
}

// WriteRecord writes a record: the tags, the moves with numbers and gains in lines of at most 80
// columns (except for longer words), the result, and an empty line. It adds the Rules and FEN
// tags that [Game.ParseRecords] needs. It returns an error, and writes nothing, if the record
// could not be read back: illegal moves, a result that contradicts the game, braces in comments,
// line breaks in tags.
func (g *Game[P]) WriteRecord(w io.Writer, rec Record[P]) error {
	tags, err := g.headOf(rec)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, t := range tags {
		if err := writeTag(&b, t); err != nil {
			return err
		}
	}
	b.WriteByte('\n')
	words, err := g.wordsOf(rec)
	if err != nil {
		return err
	}
	writeLines(&b, words)
	b.WriteString("\n\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write record: %w", err)
	}
	return nil
}

// writeLines wraps words into lines of at most 80 columns.
func writeLines(b *strings.Builder, words []string) {
	column := 0
	for _, word := range words {
		if column > 0 && column+1+len(word) > 80 {
			b.WriteByte('\n')
			column = 0
		} else if column > 0 {
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
}

// headOf returns the tags to write: rec.Tags with the first Rules, FEN and Result set to the
// values of the fields, and others of these names removed. It adds Rules if missing, and FEN if
// the game does not begin at the start position.
func (g *Game[P]) headOf(rec Record[P]) ([]Tag, error) {
	rules := g.RulesOf(rec.Start)
	start, err := g.Start(rules)
	if err != nil {
		return nil, err
	}
	truth := map[string]string{TagRules: rules, TagFEN: g.Print(rec.Start), TagResult: g.NewLine(rec.Start).resultText(rec)}
	given := append(slices.Clip(rec.Tags), Tag{Name: TagRules})
	if rec.Start != start {
		given = append(given, Tag{Name: TagFEN})
	}
	tags := make([]Tag, 0, len(given))
	for _, t := range given {
		if v, ok := truth[t.Name]; ok {
			same := func(u Tag) bool { return u.Name == t.Name }
			if slices.ContainsFunc(tags, same) {
				continue
			}
			t.Value = v
		}
		tags = append(tags, t)
	}
	return tags, nil
}

func writeTag(b *strings.Builder, t Tag) error {
	if t.Name == "" || strings.Trim(t.Name, tagNameBytes) != "" {
		return fmt.Errorf("tag name %s: expected letters, digits and underscores", Quote(t.Name))
	}
	if strings.ContainsAny(t.Value, "\r\n") {
		return fmt.Errorf("value of tag %s is %s: expected a single line", t.Name, Quote(t.Value))
	}
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(t.Value)
	fmt.Fprintf(b, "[%s \"%s\"]\n", t.Name, escaped)
	return nil
}

// wordsOf returns the text of the moves, split where lines may break.
func (g *Game[P]) wordsOf(rec Record[P]) ([]string, error) {
	words, err := appendComment(nil, rec.Comment)
	if err != nil {
		return nil, err
	}
	l := g.NewLine(rec.Start)
	words, err = g.appendMoves(words, l, rec.Moves)
	if err != nil {
		return nil, err
	}
	if err := l.checkResult(rec.Result); err != nil {
		return nil, err
	}
	return append(words, l.resultText(rec)), nil
}

// resultText returns the result as written: the tally if the record has one that agrees with the
// result.
func (l *Line[P]) resultText(rec Record[P]) string {
	if result, ok := l.resultOfTally(rec.Score); ok && result == rec.Result {
		return rec.Score
	}
	return rec.Result
}

// MoveNumber returns the number of the move after a number of others, as records write it: "3." for
// the first side, "3..." for the second. first is the side that began the game.
func MoveNumber(plies, first int) string {
	half := plies + first
	dots := "."
	if half%2 == 1 {
		dots = "..."
	}
	return strconv.Itoa(half/2+1) + dots
}

// appendMoves appends the words of moves, each followed by its variations, and plays the moves
// on l.
func (g *Game[P]) appendMoves(words []string, l *Line[P], moves []MoveText) ([]string, error) {
	first := g.SideToMove(l.Start()) // the second side's first move is the second of move 1
	numbered := false                // the number of the current move is written
	for _, m := range moves {
		p, ply := l.Position(), l.Plies()
		if err := l.Play(m.Move); err != nil {
			return nil, fmt.Errorf("%w (ply %d)", err, ply+1)
		}
		if g.SideToMove(p) == 0 || !numbered {
			words = append(words, MoveNumber(ply, first))
		}
		words = append(words, g.moveWord(p, m.Move))
		if m.Glyph > 0 {
			words = append(words, fmt.Sprintf("$%d", m.Glyph))
		}
		if int(m.Glyph) > len(glyphs) {
			return nil, fmt.Errorf("glyph $%d: expected $1 to $%d (ply %d)", m.Glyph, len(glyphs), ply+1)
		}
		var err error
		words, err = appendComment(words, m.Comment)
		if err != nil {
			return nil, fmt.Errorf("%w (ply %d)", err, ply+1)
		}
		for _, v := range m.Variations {
			words, err = g.appendVariation(words, l, v)
			if err != nil {
				return nil, err
			}
		}
		numbered = len(m.Variations) == 0
	}
	return words, nil
}

// appendVariation appends, in parentheses, the words of a line that replaces the last move of l.
// It does not change l.
func (g *Game[P]) appendVariation(words []string, l *Line[P], moves []MoveText) ([]string, error) {
	if len(moves) == 0 {
		return nil, fmt.Errorf("empty variation at ply %d: expected a move", l.Plies())
	}
	other := l.Clone()
	other.Undo()
	begin := len(words)
	words, err := g.appendMoves(words, other, moves)
	if err != nil {
		return nil, err
	}
	words[begin] = "(" + words[begin]
	words[len(words)-1] += ")"
	return words, nil
}

// moveWord returns the name of a move with its gain, if positive.
func (g *Game[P]) moveWord(p P, m Move) string {
	if gain := g.gain(p, m); gain > 0 {
		return fmt.Sprintf("%s+%d", g.MoveName(p, m), gain)
	}
	return g.MoveName(p, m)
}

// appendComment appends the words of a comment in braces, unless it is empty.
func appendComment(words []string, comment string) ([]string, error) {
	text := strings.Fields(comment)
	if len(text) == 0 {
		return words, nil
	}
	if strings.ContainsAny(comment, "{}") {
		return nil, fmt.Errorf("comment %s: braces are not allowed", Quote(comment))
	}
	text[0] = "{" + text[0]
	text[len(text)-1] += "}"
	return append(words, text...), nil
}
