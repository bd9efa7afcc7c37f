package games

// Perft counts the sequences of depth legal moves. Shorter games do not count, and repetitions
// do not end a game. It makes every move; [Game.Perft] may be faster.
func Perft[P Position[P]](p P, depth int) int64 {
	var moves []Move // of all positions of the current line
	var leaves func(p P, depth int) int64
	leaves = func(p P, depth int) (n int64) {
		if depth <= 0 {
			return 1
		}
		if _, over := p.Terminal(); over {
			return 0
		}
		first := len(moves)
		moves = p.AppendMoves(moves)
		for i, last := first, len(moves); i < last; i++ {
			n += leaves(p.Play(moves[i]), depth-1)
		}
		moves = moves[:first]
		return n
	}
	return leaves(p, depth)
}
