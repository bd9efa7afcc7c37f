package oware

import "math/bits"

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
