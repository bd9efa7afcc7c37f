package oware

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Tag is one line of the head of a game record: [Name "Value"].
type Tag struct{ Name, Value string }

// The tags that have a meaning here; all others are kept as they are.
const (
	TagRules  = "Rules"  // the rule set, abapa if absent
	TagFEN    = "FEN"    // the initial board in the notation of ParseBoard
	TagResult = "Result" // the same as the result token
)

// MoveText is a move of a record with the comment that follows it, if any.
// Comments are running text: white space in them is not significant.
type MoveText struct {
	Move    Move
	Comment string
}

// Record is a game in OGN, the oware game notation: the counterpart of chess's
// PGN. Rules, Start and Result are the truth about their tags; [Record.Write]
// brings the tags into line with them.
type Record struct {
	Tags    []Tag
	Rules   Rules
	Start   Position
	Comment string // what is said before the first move
	Moves   []MoveText
	Result  string // one of the Result constants
}

// The results of a record. A game may be won by resignation, before the rules
// end it.
const (
	SouthWins = "1-0"
	NorthWins = "0-1"
	DrawnGame = "1/2-1/2"
	Unknown   = "*" // unfinished, or nothing is said
)

// Tag returns the value of the first tag of that name, or "".
func (rec Record) Tag(name string) string {
	for _, t := range rec.Tags {
		if t.Name == name {
			return t.Value
		}
	}
	return ""
}

// Game replays the record. It refuses moves that the rules do not allow.
func (rec Record) Game() (*Game, error) {
	g := NewGame(rec.Start)
	for i, m := range rec.Moves {
		if err := g.Play(m.Move); err != nil {
			return nil, fmt.Errorf("%w (ply %d)", err, i+1)
		}
	}
	return g, nil
}

// Record is the record of the game so far, with its result if it is over.
func (g *Game) Record(tags ...Tag) Record {
	start := g.Start()
	rec := Record{Tags: tags, Rules: start.Rules(), Start: start, Result: g.result()}
	for _, m := range g.Moves() {
		rec.Moves = append(rec.Moves, MoveText{Move: m})
	}
	return rec
}

// result is the result token of the game: Unknown unless it is over.
func (g *Game) result() string {
	switch diff, _, over := g.Over(); {
	case !over:
		return Unknown
	case diff > 0:
		return SouthWins
	case diff < 0:
		return NorthWins
	}
	return DrawnGame
}

// Write writes the record: the tags, the moves with their numbers and captures
// in lines of at most 80 columns (longer only for a longer word), the result,
// and an empty line. Rules and FEN tags are added where [ParseOGN] needs them.
// It refuses, before it writes anything, what could not be read back: illegal
// moves, a result that the game contradicts, braces in comments, line breaks
// in tags.
func (rec Record) Write(w io.Writer) error {
	var b strings.Builder
	for _, t := range rec.tags() {
		if err := writeTag(&b, t); err != nil {
			return err
		}
	}
	b.WriteByte('\n')
	words, err := rec.words()
	if err != nil {
		return err
	}
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
	b.WriteString("\n\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("oware: write record: %w", err)
	}
	return nil
}

// tags is rec.Tags in line with the fields: those that have a meaning have the
// true value and stand there once, those that a reader needs are added.
func (rec Record) tags() []Tag {
	truth := map[string]string{TagRules: rec.Rules.String(), TagFEN: rec.Start.String(), TagResult: rec.Result}
	given := append(slices.Clip(rec.Tags), Tag{Name: TagRules})
	if rec.Start != Start(rec.Rules) {
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
	return tags
}

func writeTag(b *strings.Builder, t Tag) error {
	if t.Name == "" || strings.Trim(t.Name, tagNameBytes) != "" {
		return fmt.Errorf("oware: tag name %s: expected letters, digits and underscores", quote(t.Name))
	}
	if strings.ContainsAny(t.Value, "\r\n") {
		return fmt.Errorf("oware: value of tag %s is %s: expected a single line", t.Name, quote(t.Value))
	}
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(t.Value)
	fmt.Fprintf(b, "[%s \"%s\"]\n", t.Name, escaped)
	return nil
}

// words is the text of the moves, split where a line may end.
func (rec Record) words() ([]string, error) {
	if rec.Rules != rec.Start.Rules() {
		return nil, fmt.Errorf("oware: record under %s rules starts from a board under %s rules", rec.Rules, rec.Start.Rules())
	}
	words, err := appendComment(nil, rec.Comment)
	if err != nil {
		return nil, err
	}
	g := NewGame(rec.Start)
	first := int(rec.Start.ToMove()) // a game that North begins has a number for the missing move of South
	for i, m := range rec.Moves {
		p := g.Position()
		if err := g.Play(m.Move); err != nil {
			return nil, fmt.Errorf("%w (ply %d)", err, i+1)
		}
		switch number := (i+first)/2 + 1; {
		case p.ToMove() == South:
			words = append(words, fmt.Sprintf("%d.", number))
		case i == 0:
			words = append(words, fmt.Sprintf("%d...", number))
		}
		word := MoveName(m.Move, p.ToMove())
		if n := p.Gain(m.Move); n > 0 {
			word = fmt.Sprintf("%s+%d", word, n)
		}
		if words, err = appendComment(append(words, word), m.Comment); err != nil {
			return nil, fmt.Errorf("%w (ply %d)", err, i+1)
		}
	}
	if err := checkResult(g, rec.Result); err != nil {
		return nil, err
	}
	return append(words, rec.Result), nil
}

// appendComment appends the words of a comment in braces, if there is one.
func appendComment(words []string, comment string) ([]string, error) {
	text := strings.Fields(comment)
	if len(text) == 0 {
		return words, nil
	}
	if strings.ContainsAny(comment, "{}") {
		return nil, fmt.Errorf("oware: comment %s: expected no braces", quote(comment))
	}
	text[0] = "{" + text[0]
	text[len(text)-1] += "}"
	return append(words, text...), nil
}

// checkResult refuses what is no result, and one that differs from how the
// game ended by the rules.
func checkResult(g *Game, result string) error {
	switch result {
	case Unknown:
		return nil
	case SouthWins, NorthWins, DrawnGame:
		if by := g.result(); by != Unknown && by != result {
			return fmt.Errorf("oware: result %s of a game that ended %s", result, by)
		}
		return nil
	}
	return fmt.Errorf("oware: result %s: expected 1-0, 0-1, 1/2-1/2 or *", quote(result))
}
