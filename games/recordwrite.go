package games

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

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
	if words, err = g.appendMoves(words, l, rec.Moves); err != nil {
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
	if result, ok := l.tallied(rec.Score); ok && result == rec.Result {
		return rec.Score
	}
	return rec.Result
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
		switch number := (ply+first)/2 + 1; {
		case g.SideToMove(p) == 0:
			words = append(words, fmt.Sprintf("%d.", number))
		case !numbered:
			words = append(words, fmt.Sprintf("%d...", number))
		}
		words = append(words, g.moveWord(p, m.Move))
		if m.Glyph > 0 {
			words = append(words, fmt.Sprintf("$%d", m.Glyph))
		}
		if int(m.Glyph) > len(glyphs) {
			return nil, fmt.Errorf("glyph $%d: expected $1 to $%d (ply %d)", m.Glyph, len(glyphs), ply+1)
		}
		var err error
		if words, err = appendComment(words, m.Comment); err != nil {
			return nil, fmt.Errorf("%w (ply %d)", err, ply+1)
		}
		for _, v := range m.Variations {
			if words, err = g.appendVariation(words, l, v); err != nil {
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
