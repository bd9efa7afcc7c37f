// Package kalah implements the rules and features of kalah with six houses per side and four
// seeds in each: everything that Kroo needs to search, play and train for it.
//
// Seeds are sown one by one to the right, including the mover's store but not the opponent's. If
// the last seed falls into the store, the mover moves again. If it falls into an empty house of
// the mover, it is captured together with the seeds opposite, if any. The game ends when all
// houses of one side are empty: the other side keeps the seeds in its own.
package kalah

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kroo/engine"
	"kroo/features"
	"kroo/games"
)

const (
	store = 6               // index of a store, after the houses of its side
	pits  = 2*(store+1) - 1 // number of pits that a side sows into
	seeds = 48
	pass  = games.Move(store)

	startText = "4-4-4-4-4-4-0-4-4-4-4-4-4-0-S"
	boardText = "seeds in A to F, South's store, a to f, North's store; S or N to move, Sp or Np to pass: " + startText
)

var (
	turns     = []string{"S", "N", "Sp", "Np"}
	moveNames = [2][]string{strings.Fields("A B C D E F pass"), strings.Fields("a b c d e f pass")}
)

// Position is a board seen from the side to move. In Kroo sides alternate, so after a move that
// earns another turn the opponent has to pass.
type Position struct {
	games.Irreversible
	rows [2][store + 1]uint8 // the mover's houses from its left and store, then the opponent's
	turn uint8               // index in turns
}

// side is 0 if South is to move.
func (p Position) side() int { return int(p.turn % 2) }

// AppendMoves appends the legal moves.
func (p Position) AppendMoves(dst []games.Move) []games.Move {
	if p.turn > 1 {
		return append(dst, pass)
	}
	for m, n := range p.rows[0][:store] {
		if n > 0 {
			dst = append(dst, games.Move(m))
		}
	}
	return dst
}

// Play returns the position after a legal move.
func (p Position) Play(m games.Move) Position {
	turn := 1 - p.turn%2
	if m != pass && p.sow(int(m)) == store {
		turn += 2
	}
	return Position{rows: [2][store + 1]uint8{p.rows[1], p.rows[0]}, turn: turn}
}

// sow sows a house, captures, and returns the pit of the last seed.
func (p *Position) sow(house int) (last int) {
	left := p.rows[0][house]
	p.rows[0][house], last = 0, house
	for ; left > 0; left-- {
		last = (last + 1) % pits
		p.rows[last/(store+1)][last%(store+1)]++
	}
	own, opp := &p.rows[0], &p.rows[1]
	if opposite := store - 1 - last; last < store && own[last] == 1 && opp[opposite] > 0 {
		own[store] += opp[opposite] + 1
		own[last], opp[opposite] = 0, 0
	}
	return last
}

func sum(row []uint8) (n int) {
	for _, k := range row {
		n += int(k)
	}
	return n
}

// Terminal reports whether the game is over, and the mover's seeds minus the opponent's.
func (p Position) Terminal() (diff int, over bool) {
	over = sum(p.rows[0][:store]) == 0 || sum(p.rows[1][:store]) == 0
	return p.NoMoves(), over
}

// NoMoves returns the result of a position without legal moves.
func (p Position) NoMoves() (diff int) { return sum(p.rows[0][:]) - sum(p.rows[1][:]) }

// Progress returns the number of seeds in the stores.
func (p Position) Progress() int { return int(p.rows[0][store]) + int(p.rows[1][store]) }

// Key returns a hash of the position.
func (p Position) Key() uint64 {
	h := uint64(p.turn/2 + 1)
	for _, row := range p.rows {
		for _, n := range row {
			h = (h ^ uint64(n)) * 0x9e37_79b9_7f4a_7c15
			h ^= h >> 29
		}
	}
	return h
}

// AppendHints appends hints that put moves that earn another turn first.
func (p Position) AppendHints(dst []int32, moves []games.Move) []int32 {
	for _, m := range moves {
		dst = append(dst, 0)
		if m != pass && again(int(m), p.rows[0][m]) {
			dst[len(dst)-1] = 1
		}
	}
	return dst
}

// again reports whether a house with n seeds earns another turn.
func again(house int, n uint8) bool { return int(n)%pits == store-house }

// String returns the text of the board.
func (p Position) String() string {
	numbers := fmt.Sprint(p.rows[p.side()], p.rows[1-p.side()])
	return strings.NewReplacer("[", "", "] ", "-", "]", "-", " ", "-").Replace(numbers) + turns[p.turn]
}

func parse(_, text string) (p Position, err error) {
	fields := strings.Split(text, "-")
	if len(fields) != pits+2 {
		return p, fmt.Errorf("the board has %d fields: expected %s", len(fields), boardText)
	}
	rows, total := [2][store + 1]uint8{}, 0
	for i, field := range fields[:pits+1] {
		n, err := strconv.ParseUint(field, 10, 8)
		if err != nil || strconv.FormatUint(n, 10) != field {
			return p, fmt.Errorf("field %d of the board is %.9q: expected a number of seeds", i+1, field)
		}
		rows[i/(store+1)][i%(store+1)] = uint8(n)
		total += int(n)
	}
	turn := slices.Index(turns, fields[pits+1])
	if turn < 0 || total != seeds {
		return p, fmt.Errorf("the board has %d seeds and %.9q to move: expected %d, and %s", total, fields[pits+1], seeds, games.OrList(turns))
	}
	return Position{rows: [2][store + 1]uint8{rows[turn%2], rows[1-turn%2]}, turn: uint8(turn)}, nil
}

// Game describes kalah.
var Game = games.New(games.Game[Position]{
	Info: games.Info{
		Name: "kalah", Rules: []string{"standard"}, Sides: [2]string{"South", "North"}, Unit: "seed", UnitsPerWin: seeds / 2,
		MaxMoves: store, PhaseName: "seeds in the houses", MaxPhase: seeds, BoardText: boardText, MoveText: "A to F, a to f, or pass",
	},
	Start:      func(string) (Position, error) { return parse("", startText) },
	Parse:      parse,
	Print:      Position.String,
	SideToMove: Position.side,
	MoveName:   func(p Position, m games.Move) string { return moveNames[p.side()][min(m, pass)] },
	ScanMove: func(p Position, text string) (games.Move, int, error) {
		for m, name := range moveNames[p.side()] {
			if strings.HasPrefix(text, name) {
				return games.Move(m), len(name), nil
			}
		}
		return 0, 0, fmt.Errorf("expected %s", games.OrList(moveNames[p.side()]))
	},
	Phase: func(p Position) int { return seeds - p.Progress() },
})

// feature returns a feature that counts a side's houses for which rule holds.
func feature(name, meaning string, rule func(house int, k uint8) bool) features.Feature[Position] {
	return features.Feature[Position]{Name: name, Meaning: meaning, Count: func(p Position) (int, int) {
		var n [2]int
		for i, k := range slices.Concat(p.rows[0][:store], p.rows[1][:store]) {
			if rule(i%store, k) {
				n[i/store]++
			}
		}
		return n[0], n[1]
	}}
}

// Kit returns kalah for Kroo's commands.
func Kit() engine.Kit[Position] {
	return engine.NewKit(Game, features.Sets[Position]{DefaultSet: "counts", All: []*features.Set[Position]{features.NewSet(features.Definition[Position]{
		Name: "counts", About: "seeds in the store, empty houses, and houses that earn another turn", Features: []features.Feature[Position]{
			{Name: "store", Meaning: "seeds in the store", Count: func(p Position) (int, int) { return int(p.rows[0][store]), int(p.rows[1][store]) }},
			feature("empty", "empty houses", func(_ int, k uint8) bool { return k == 0 }),
			feature("again", "houses that earn another turn", again),
		}})}})
}
