package book

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kroo/games/oware"
)

// FieldDeeper is a header field, one per later pass over a book: the limits of its searches, then
// the moves whose values come from them. These are either [manyMoves] or, in base 64, the gaps
// between ascending numbers 6·entry+house, starting from −1, as varints.
const FieldDeeper = "Deeper moves"

// FieldDeepened describes a later pass over a book: its scope and its searches.
const FieldDeepened = "Deepened"

// manyMoves replaces a list that is too long for a header.
const manyMoves = "many"

// maxMoves is the maximum length of a list in a header, in characters.
const maxMoves = maxHeader / 4

// passes is the limits of the searches of a book.
type passes struct {
	first    string         // of the moves that are not listed
	later    map[int]string // of the listed moves, by number
	unlisted []string       // of passes without a list (manyMoves)
}

func moveNumber(entry int, m oware.Move) int { return entry*oware.Houses + int(m) }

// passes reads the search limits from the header.
func (b *Book) passes() (passes, error) {
	p := passes{first: b.header.Get(FieldLimits), later: map[int]string{}}
	for _, f := range b.header.Fields {
		if f.Name != FieldDeeper {
			continue
		}
		limits, list, _ := strings.Cut(f.Value, ": ")
		if list == manyMoves {
			p.unlisted = append(p.unlisted, limits)
		} else if err := p.read(limits, list, b.Len()*oware.Houses); err != nil {
			return passes{}, fmt.Errorf("header field %s of %.60q: %w", FieldDeeper, limits, err)
		}
	}
	return p, nil
}

// read reads a list of moves; moves is the number of all moves of the book.
func (p *passes) read(limits, list string, moves int) error {
	raw, err := base64.StdEncoding.DecodeString(list)
	if err != nil {
		return err
	}
	for at := -1; len(raw) > 0; {
		gap, n := binary.Uvarint(raw)
		if n <= 0 || gap == 0 || gap >= uint64(moves-at) {
			return errors.New("not a list of moves of this book")
		}
		at += int(gap)
		raw = raw[n:]
		if _, twice := p.later[at]; twice {
			return fmt.Errorf("move %d of entry %d has two searches", at%oware.Houses, at/oware.Houses)
		}
		p.later[at] = limits
	}
	return nil
}

// ReadableFields returns the fields of a header for display, with the length of each list of moves
// instead of the list.
func (h Header) ReadableFields() []Field {
	fields := slices.Clone(h.Fields)
	for i, f := range fields {
		if limits, list, _ := strings.Cut(f.Value, ": "); f.Name == FieldDeeper && list != manyMoves {
			raw, _ := base64.StdEncoding.DecodeString(list) // a damaged list decodes in part
			moves := 0
			for _, b := range raw {
				if b < 0x80 { // the last byte of a varint
					moves++
				}
			}
			fields[i].Value = fmt.Sprintf("%s, %d moves", limits, moves)
		}
	}
	return fields
}

// searchOf returns the limits of the search after a move that leads out of the book.
func (p *passes) searchOf(move int) string {
	if limits, ok := p.later[move]; ok {
		return limits
	}
	return strings.Join(append([]string{p.first}, p.unlisted...), " or ")
}

// fields returns the header fields that record the passes.
func (p *passes) fields() (fields []Field) {
	for _, limits := range p.unlisted {
		fields = append(fields, Field{FieldDeeper, limits + ": " + manyMoves})
	}
	lists, last := map[string][]byte{}, map[string]int{}
	for _, move := range slices.Sorted(maps.Keys(p.later)) {
		limits := p.later[move]
		before := -1
		if at, ok := last[limits]; ok {
			before = at
		}
		lists[limits] = binary.AppendUvarint(lists[limits], uint64(move-before))
		last[limits] = move
	}
	for _, limits := range slices.Sorted(maps.Keys(lists)) {
		list := base64.StdEncoding.EncodeToString(lists[limits])
		if len(list) > maxMoves {
			list = manyMoves
		}
		fields = append(fields, Field{FieldDeeper, limits + ": " + list})
	}
	return fields
}

// Origin is the kind of source of a value in a book.
type Origin string

// The origins.
const (
	bySearch     Origin = "search"       // of a position that has no entry
	byProof      Origin = "proof"        // a win or loss by force
	byEnd        Origin = "end"          // the rules: the game is over
	byRepetition Origin = "repetition"   // the rules: a position is repeated
	byTables     Origin = "tables"       // endgame tables
	noOrigin     Origin = ""             // the move is not legal
	damagedEntry Origin = "no best move" // of a damaged book
)

// Source is where the value of a move comes from: the end of the line of best moves after it, the
// leftmost of equals.
type Source struct {
	Plies  int    `json:"plies"` // from the position to the source
	Origin Origin `json:"origin"`
	Search string `json:"search,omitempty"` // limits of the search
}

// String describes the source in words.
func (s Source) String() string {
	plies := fmt.Sprintf("after %d plies", s.Plies)
	if s.Plies == 1 {
		plies = "after 1 ply"
	}
	switch s.Origin {
	case bySearch:
		limits := s.Search
		if limits == "" {
			limits = "with unknown limits"
		}
		return plies + ", search " + limits
	case noOrigin:
		return ""
	}
	return plies + ", " + string(s.Origin)
}

// Sources returns where the values of a position's moves come from; found is false if the book does
// not contain the position.
func (b *Book) Sources(p oware.Position) (sources [oware.Houses]Source, found bool, err error) {
	pass, err := b.passes()
	if err != nil {
		return sources, false, err
	}
	err = b.read(func() error {
		i, there := b.find(p.BookKey())
		found = there
		if !found {
			return nil
		}
		for m, score := range b.At(i).Scores {
			if score != Illegal && p.IsLegal(oware.Move(m)) {
				sources[m] = b.source(p, i, oware.Move(m), &pass)
			}
		}
		return nil
	})
	return sources, found, err
}

// source follows the best moves after move m of entry i, whose position is p.
func (b *Book) source(p oware.Position, i int, m oware.Move, pass *passes) (s Source) {
	passed := map[int]bool{}
	for {
		value := int(b.At(i).Scores[m])
		s.Plies++
		if value == maxScore || value == -maxScore {
			s.Origin = byProof
			return s
		}
		passed[i] = true
		captures, next := p.Gain(m) > 0, p.Play(m)
		to := int(b.follow(next))
		switch {
		case to == gameEnd:
			s.Origin = byEnd
			return s
		case to == outside:
			s.Origin, s.Search = bySearch, pass.searchOf(moveNumber(i, m))
			return s
		}
		best, behind := b.At(to).Best()
		switch {
		case behind == Illegal, !next.IsLegal(best):
			s.Origin = damagedEntry
			return s
		case passed[to], value != -behind && !captures:
			s.Origin = byRepetition
			return s
		case value != -behind:
			s.Origin = byTables
			return s
		}
		p, i, m = next, to, best
	}
}
