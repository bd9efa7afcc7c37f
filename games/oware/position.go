package oware

import (
	"errors"
	"fmt"
	"math/bits"

	"kroo/games"
)

// Move is the house to sow, from its owner's left: 0 is A (or a), 5 is F (or f).
type Move = uint16

// Dimensions of the game.
const (
	Houses = 6         // houses per side
	Seeds  = 48        // seeds in the game, including stores
	Half   = Seeds / 2 // a side with more has won

	// CentiSeedsPerPoint converts points to centi-seeds: 1000 points are a won game, or 24 seeds
	// (Sala Soler 2014).
	CentiSeedsPerPoint = 100.0 * Half / games.MaxPoints
)

// Side is South or North. South moves first.
type Side uint8

// The two sides.
const (
	South Side = iota
	North
)

// String returns "S" or "N", the letters of the board notation.
func (s Side) String() string {
	if s == South {
		return "S"
	}
	return "N"
}

// Other returns the opponent of s.
func (s Side) Other() Side { return s ^ 1 }

// Layout of a word: six houses, a byte each, from the owner's left; the store in byte 6; tags in
// byte 7. The tags stay with their side when the words are swapped, so Play need not update the
// side to move and the rules.
const (
	storeShift = 48
	rulesShift = 56

	houseBits = uint64(1)<<storeShift - 1 // the six houses
	seedBits  = uint64(1)<<rulesShift - 1 // houses and store
	rulesBits = uint64(7) << rulesShift   // the Rules
	sowBits   = uint64(3) << rulesShift   // of the rules bits: none set in rules like Abapa, all in SimpleToEnd
	southTag  = uint64(1) << 63           // set in South's word

	ones       = uint64(0x0101_0101_0101_0101) // one in every byte
	houseOnes  = ones & houseBits              // one in every house
	houseHighs = 0x80 * houseOnes              // the top bit of every house
)

// Position is a state of the game seen from the side to move: a comparable value of two words.
// Equal values are the same board with the same side to move under the same rules. The zero
// value is invalid: use [Start], [New] or [ParseBoard].
type Position struct {
	own, opp uint64
}

// Start returns the initial position: four seeds per house, South to move. r must be valid.
func Start(r Rules) Position {
	return fromWords(r, [2]uint64{4 * houseOnes, 4 * houseOnes}, South)
}

// New builds a position from houses A…F, a…f, the stores of South and North, and the side to
// move. It returns an error for a negative count, counts that do not add up to 48 seeds, unknown
// rules or an unknown side.
func New(r Rules, houses [2 * Houses]int, stores [2]int, toMove Side) (Position, error) {
	var w [2]uint64
	total := 0
	for i, n := range houses {
		if n < 0 || n > Seeds {
			return Position{}, fmt.Errorf("house %s has %d seeds: expected 0 to %d", houseName(i), n, Seeds)
		}
		w[i/Houses] |= uint64(n) << (8 * (i % Houses))
		total += n
	}
	for s, n := range stores {
		if n < 0 || n > Seeds {
			return Position{}, fmt.Errorf("store of %s has %d seeds: expected 0 to %d", Side(s), n, Seeds)
		}
		w[s] |= uint64(n) << storeShift
		total += n
	}
	if total != Seeds {
		return Position{}, fmt.Errorf("the board has %d seeds with the stores: expected %d", total, Seeds)
	}
	if err := r.Check(); err != nil {
		return Position{}, err
	}
	if toMove > North {
		return Position{}, errToMove
	}
	return fromWords(r, w, toMove), nil
}

var errToMove = errors.New("unknown side to move: expected South or North")

// fromWords adds the tags to the words of South and North.
func fromWords(r Rules, w [2]uint64, toMove Side) Position {
	tag := uint64(r) << rulesShift & rulesBits
	p := Position{own: w[South] | southTag | tag, opp: w[North] | tag}
	if toMove == North {
		return p.Swap()
	}
	return p
}

// Rules returns the rule set of the position.
func (p Position) Rules() Rules { return Rules(p.own >> rulesShift & 7) }

// ToMove returns the side to move.
func (p Position) ToMove() Side {
	if p.own&southTag != 0 {
		return South
	}
	return North
}

// House returns the number of seeds in the i-th house: 0…5 are the houses of the side
// to move, 6…11 those of the opponent, each from its owner's left.
func (p Position) House(i int) int {
	if i < Houses {
		return int(p.own >> (8 * i) & 0xff)
	}
	return int(p.opp >> (8 * (i - Houses)) & 0xff)
}

// Store returns the number of seeds that the side to move has captured.
func (p Position) Store() int { return int(p.own >> storeShift & 0xff) }

// OpponentStore returns the number of seeds that the opponent has captured.
func (p Position) OpponentStore() int { return int(p.opp >> storeShift & 0xff) }

// Words returns the two words of the position without their tags, for table evaluators: byte i
// is house i of that side, byte 6 its store.
func (p Position) Words() (own, opp uint64) { return p.own & seedBits, p.opp & seedBits }

// sum returns the number of seeds in the houses of a word. The top byte of the product
// is the sum of all bytes.
func sum(w uint64) int { return int((w & houseBits) * ones >> 56) }

// SideSeeds returns the seeds in the houses of the side to move and in those of the opponent.
func (p Position) SideSeeds() (own, opp int) { return sum(p.own), sum(p.opp) }

// SeedsInPlay returns the number of seeds not yet captured.
func (p Position) SeedsInPlay() int { return Seeds - p.Store() - p.OpponentStore() }

// Progress returns the number of captured seeds. It never decreases in a game, and a position
// can recur only while it is constant.
func (p Position) Progress() int { return p.Store() + p.OpponentStore() }

// MinCycle returns the least number of plies between two occurrences of a position. A cycle has
// no captures. Each move adds a seed to the next house, which must then be sown as well to
// restore it, so all twelve houses are sown.
//
// In arena a position may recur without effect. MinCycle then exceeds the length of a game.
func (p Position) MinCycle() int {
	if p.Rules() == Arena {
		return arenaPlies + 1
	}
	return 12
}

// Swap returns the same board with the other side to move.
func (p Position) Swap() Position { return Position{own: p.opp, opp: p.own} }

// Mirror returns the position with the sides exchanged: South has what North had. Its value for
// the side to move is the same.
func (p Position) Mirror() Position {
	return Position{own: p.own ^ southTag, opp: p.opp ^ southTag}
}

// DrawClock returns 0: there is no draw clock.
func (p Position) DrawClock() int { return 0 }

// PlyLimit returns 0 except in arena, where a game ends after 200 plies; diff is then the
// difference of the stores.
func (p Position) PlyLimit() (plies, diff int) {
	if p.Rules() != Arena {
		return 0, 0
	}
	return arenaPlies, p.Store() - p.OpponentStore()
}

// Key returns a 64-bit hash of the rules and of the board as seen from the side to move. A
// position and its Mirror have the same key.
func (p Position) Key() uint64 {
	h := (p.own & (seedBits | rulesBits)) * 0x9e37_79b9_7f4a_7c15
	h = bits.RotateLeft64(h, 32) ^ (p.opp & seedBits)
	h *= 0xbf58_476d_1ce4_e5b9
	h ^= h >> 29
	h *= 0x94d0_49bb_1331_11eb
	return h ^ h>>32
}

// sowing is the effect of a move before captures: the seeds it adds to each side, and a byte
// mask of the houses that a capture can reach: the opponent's houses from a (or A) up to the
// last seed, or none if the last seed stays on the mover's side.
type sowing struct{ own, opp, reach uint64 }

// sowings is indexed by house<<6 | seeds.
var sowings = makeSowings()

func makeSowings() (t [512]sowing) {
	for house := range Houses {
		for n := 1; n <= Seeds; n++ {
			s := &t[house<<6|n]
			at := house
			for range n {
				at = (at + 1) % (2 * Houses)
				if at == house { // the house of origin is skipped
					at = (at + 1) % (2 * Houses)
				}
				if at < Houses {
					s.own += 1 << (8 * at)
				} else {
					s.opp += 1 << (8 * (at - Houses))
				}
			}
			if at >= Houses {
				s.reach = 1<<(8*(at-Houses+1)) - 1
			}
		}
	}
	return t
}

// captures returns the byte mask of the opponent's houses that a move captures, given the
// opponent's word after sowing. The houses are the run of twos and threes that ends at the top
// of reach. (x^2)&0xfe is zero only for 2 and 3, so the run starts just above the highest byte
// where it is not zero.
func captures(opp, reach uint64) uint64 {
	stop := (opp ^ 2*ones) & (0xfe * ones) & reach
	return reach &^ (^uint64(0) >> (uint(bits.LeadingZeros64(stop)) &^ 7))
}

// Play makes a move and returns the position for the opponent. It does not check that the move
// is legal (see [Position.IsLegal]).
func (p Position) Play(m Move) Position {
	shift := 8 * uint(m&7)
	n := p.own >> shift & 0xff
	s := &sowings[(uint64(m)<<6|n)&511]
	own := p.own - n<<shift + s.own
	opp := p.opp + s.opp
	taken := captures(opp, s.reach)
	if opp&^taken&houseBits == 0 && own&sowBits == 0 { // in abapa a grand slam captures nothing
		taken = 0
	}
	gain := opp & taken
	own += gain * ones >> 56 << storeShift
	return Position{own: opp - gain, opp: own}
}

// Gain returns the number of seeds that the move captures. It repeats code of Play, because both
// are hot and the compiler would not inline a shared function.
func (p Position) Gain(m Move) int {
	n := p.own >> (8 * uint(m&7)) & 0xff
	s := &sowings[(uint64(m)<<6|n)&511]
	opp := p.opp + s.opp
	taken := captures(opp, s.reach)
	if opp&^taken&houseBits == 0 && p.own&sowBits == 0 {
		return 0
	}
	return int((opp & taken) * ones >> 56)
}

// AppendHints appends the Gain of each move to dst. A search tries moves with larger hints
// first.
func (p Position) AppendHints(dst []int32, moves []Move) []int32 {
	for _, m := range moves {
		n := p.own >> (8 * uint(m&7)) & 0xff
		s := &sowings[(uint64(m)<<6|n)&511]
		gain := int32(0)
		opp := p.opp + s.opp
		if taken := captures(opp, s.reach); taken != 0 && (opp&^taken&houseBits != 0 || p.own&sowBits != 0) {
			gain = int32((opp & taken) * ones >> 56)
		}
		dst = append(dst, gain)
	}
	return dst
}

// nonEmpty sets the top bit of each house byte that is not zero.
func nonEmpty(w uint64) uint64 { return (w&houseBits + 0x7f*houseOnes) & houseHighs }

// packBits gathers the top bits of the six house bytes into bits 0…5.
func packBits(high uint64) uint8 { return uint8(high * 0x0002_0408_1020_4081 >> 49 & 0x3f) }

// Legal returns the set of legal moves as a bit mask, bit i for house i.
func (p Position) Legal() uint8 {
	own := nonEmpty(p.own)
	switch p.Rules() {
	case Abapa, Arena:
		if p.opp&houseBits == 0 {
			return packBits(own) & p.feeding()
		}
		return packBits(own)
	case Awari:
		// A move that sows one seed into a house captures it only if it contained fewer than
		// three, so a house with three or more keeps its seeds. 0x7d + x has its top bit set
		// from x = 3 on.
		if (p.opp&houseBits+0x7d*houseOnes)&houseHighs == 0 {
			return p.legalLeavingSeeds(packBits(own))
		}
		return packBits(own)
	default:
		return packBits(own)
	}
}

// feeding returns the set of houses whose seeds reach the opponent's side.
func (p Position) feeding() (set uint8) {
	for h := range Houses {
		if p.House(h) >= Houses-h {
			set |= 1 << h
		}
	}
	return set
}

// legalLeavingSeeds returns the moves that leave the opponent a seed, or all moves if no move
// does (awari).
func (p Position) legalLeavingSeeds(all uint8) (set uint8) {
	for h := range Move(Houses) {
		if all>>h&1 != 0 && p.Play(h).own&houseBits != 0 {
			set |= 1 << h
		}
	}
	if set == 0 {
		return all
	}
	return set
}

// IsLegal reports whether a move is legal. It does not check whether the game is over.
func (p Position) IsLegal(m Move) bool { return m < Houses && p.Legal()>>m&1 != 0 }

// AppendMoves appends the legal moves, from the mover's left, to dst.
func (p Position) AppendMoves(dst []Move) []Move {
	for set := p.Legal(); set != 0; set &= set - 1 {
		dst = append(dst, Move(bits.TrailingZeros8(set)))
	}
	return dst
}

// Terminal reports whether the position ends the game, regardless of history: a side has more
// than 24 seeds (except in [SimpleToEnd]), no seed is in play, or there is no legal move. diff
// is then the final difference in seeds for the side to move.
func (p Position) Terminal() (diff int, over bool) {
	a, b := p.Store(), p.OpponentStore()
	if (a > Half || b > Half) && p.own&sowBits != sowBits || a+b == Seeds {
		return a - b, true
	}
	if p.own&houseBits != 0 && p.opp&houseBits != 0 || p.Legal() != 0 {
		return 0, false // a side with seeds has a move, unless the opponent needs feeding
	}
	return p.NoMoves(), true
}

// NoMoves returns the final difference in seeds for a side to move without a legal move. In
// abapa and arena each side takes the seeds in its own houses; under the other rules the
// opponent takes all seeds in play.
func (p Position) NoMoves() (diff int) {
	own, opp := p.SideSeeds()
	if p.Rules().LikeAbapa() {
		return p.Store() + own - p.OpponentStore() - opp
	}
	return p.Store() - p.OpponentStore() - own - opp
}

// Repetition reports whether the game ends when the position appears for the given time; 1 is
// its first appearance. diff is then the final difference in seeds for the side to move. In
// abapa the second appearance ends the game, and each side takes the seeds in its own houses. In
// awari the second and in simple the third appearance ends it, and the sides split the seeds in
// play equally. In arena repetitions do not count.
func (p Position) Repetition(times int) (diff int, over bool) {
	a, b := p.Store(), p.OpponentStore()
	switch p.Rules() {
	case Abapa:
		own, opp := p.SideSeeds()
		return a + own - b - opp, times >= 2
	case Awari:
		return a - b, times >= 2
	case Arena:
		return 0, false
	default:
		return a - b, times >= 3
	}
}

// Perft counts the sequences of depth legal moves. Shorter games do not count, and repetitions
// do not end a game. It counts the moves of the last ply without making them.
func (p Position) Perft(depth int) int64 {
	if depth <= 0 {
		return 1
	}
	if _, over := p.Terminal(); over {
		return 0
	}
	set := p.Legal()
	if depth == 1 {
		return int64(bits.OnesCount8(set))
	}
	var n int64
	for ; set != 0; set &= set - 1 {
		n += p.Play(Move(bits.TrailingZeros8(set))).Perft(depth - 1)
	}
	return n
}
