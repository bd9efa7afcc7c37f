package games

// Perft counts the sequences of depth legal moves. Shorter games do not count, and repetitions
// do not end a game. It makes every move; [Game.Perft] may be faster.
func Perft[P Position[P]](p P, depth int) int64 {
	leaves, _ := PerftMoves(p, depth)
	return leaves
}

// PerftMoves is like Perft and also returns the number of moves made.
func PerftMoves[P Position[P]](p P, depth int) (leaves, made int64) {
	var c perft[P]
	leaves = c.leaves(p, depth)
	return leaves, c.made
}

// perft is the state of a count. All its positions share one slice of moves.
type perft[P Position[P]] struct {
	moves []Move
	made  int64
}

// leaves counts below p. It uses moves as a stack: it appends the moves of p, and removes them
// at the end.
func (c *perft[P]) leaves(p P, depth int) (n int64) {
	if depth <= 0 {
		return 1
	}
	if _, over := p.Terminal(); over {
		return 0
	}
	first := len(c.moves)
	c.moves = p.AppendMoves(c.moves)
	last := len(c.moves)
	for i := first; i < last; i++ {
		c.made++
		n += c.leaves(p.Play(c.moves[i]), depth-1)
	}
	c.moves = c.moves[:first]
	return n
}
