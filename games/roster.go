package games

import (
	"strings"
	"unicode"
)

// WithRoster is a record in the form that the best-known oware program opens. It begins
// with the tags Variant, Event, Site, Date, Round, the two sides and Result, in this
// order, "?" for what is not known. A comment before the first move is put into the
// comment of that move.
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

// capital is a word with a capital letter.
func capital(word string) string {
	for i, r := range word {
		return string(unicode.ToUpper(r)) + word[i+len(string(r)):]
	}
	return word
}
