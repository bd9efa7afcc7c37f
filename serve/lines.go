package serve

import (
	"fmt"
	"strings"

	"kroo/games"
	"kroo/games/oware"
)

// maxTree bounds the text of all lines of a game.
const maxTree = 16 << 10

// linesOf reads the lines of a game as a request names them: the moves of a record, with
// variations in parentheses.
func linesOf(start oware.Position, text string) (games.Record[oware.Position], error) {
	var none games.Record[oware.Position]
	if len(text) > maxTree {
		return none, fmt.Errorf("%d bytes of variations: expected at most %d", len(text), maxTree)
	}
	head := fmt.Sprintf("[%s %q][%s %q]", games.TagRules, kit.Game.RulesOf(start), games.TagFEN, start)
	records, err := kit.Game.ParseTrees(strings.NewReader(head+"\n"+text+" *"), "variations")
	if err != nil {
		return none, err
	}
	if len(records) != 1 {
		return none, fmt.Errorf("variations of %d games: expected one", len(records))
	}
	return records[0], nil
}

// linesText is the text of lines, as short as linesOf reads it, with the seeds that moves
// capture.
func linesText(p oware.Position, moves []games.MoveText) string {
	var b strings.Builder
	for _, m := range moves {
		b.WriteString(kit.Game.MoveName(p, m.Move))
		if gain := p.Gain(m.Move); gain > 0 {
			fmt.Fprintf(&b, "+%d", gain)
		}
		for _, v := range m.Variations {
			b.WriteString("(" + linesText(p, v) + ")")
		}
		p = p.Play(m.Move)
	}
	return b.String()
}

// varied tells whether lines have variations.
func varied(moves []games.MoveText) bool {
	for _, m := range moves {
		if len(m.Variations) > 0 {
			return true
		}
	}
	return false
}
