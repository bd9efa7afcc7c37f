package serve

import (
	"fmt"
	"slices"
	"strings"

	"kroo/games"
	"kroo/games/oware"
)

// record is a game with variations and comments.
type record = games.Record[oware.Position]

// maxTree is the largest length of the text of all lines of a game, which is part of an address.
const maxTree = 32 << 10

// linesOf parses the lines of a game in a request: moves as in OGN, with variations in parentheses,
// comments in braces, and tags first.
func linesOf(start oware.Position, text string) (record, error) {
	if len(text) > maxTree {
		return record{}, fmt.Errorf("%d bytes of variations and comments: expected at most %d", len(text), maxTree)
	}
	head := []games.Tag{{Name: games.TagRules, Value: kit.Game.RulesOf(start)}, {Name: games.TagFEN, Value: start.String()}}
	records, err := kit.Game.ParseRecords(strings.NewReader(tagsText(head)+text+" *"), "variations")
	if err != nil {
		return record{}, err
	}
	if len(records) != 1 {
		return record{}, fmt.Errorf("variations of %d games: expected one", len(records))
	}
	rec := records[0]
	rec.Tags = rec.Tags[len(head):]
	return rec, nil
}

// treeText returns a record in the format of linesOf, without what follows from the first position and
// the rules.
func treeText(rec record) string {
	rec = rec.MadeBy("") // the origin of the file is not that of a file saved later
	tags := slices.DeleteFunc(rec.Tags, func(t games.Tag) bool {
		return t.Name == games.TagRules || t.Name == games.TagFEN || t.Name == games.TagResult
	})
	if l, err := kit.Game.Replay(rec); err == nil && l.Result() == games.Unknown && rec.Result != games.Unknown { // a player resigned or lost on time
		tags = append(tags, games.Tag{Name: games.TagResult, Value: rec.Result})
	}
	return tagsText(tags) + commentText(rec.Comment) + linesText(rec.Start, rec.Moves)
}

func tagsText(tags []games.Tag) string {
	var b strings.Builder
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	for _, t := range tags {
		fmt.Fprintf(&b, `[%s "%s"]`, t.Name, escape.Replace(t.Value))
	}
	return b.String()
}

func commentText(comment string) string {
	if comment == "" {
		return ""
	}
	return "{" + comment + "}"
}

// linesText returns moves as text, with captured seeds, glyphs, comments and variations.
func linesText(p oware.Position, moves []games.MoveText) string {
	var b strings.Builder
	for _, m := range moves {
		b.WriteString(kit.Game.MoveName(p, m.Move))
		if gain := p.Gain(m.Move); gain > 0 {
			fmt.Fprintf(&b, "+%d", gain)
		}
		if m.Glyph > 0 {
			fmt.Fprintf(&b, "$%d", m.Glyph)
		}
		b.WriteString(commentText(m.Comment))
		for _, v := range m.Variations {
			b.WriteString("(" + linesText(p, v) + ")")
		}
		p = p.Play(m.Move)
	}
	return b.String()
}
