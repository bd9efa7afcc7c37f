package games

// Perft counts the positions reached by every sequence of depth legal moves.
// Games that end earlier do not count, and repetitions are not looked for.
// Every move is made; [Game.Perft] may be faster.
func Perft[P Position[P]](p P, depth int) int64 {
	leaves, _ := PerftMoves(p, depth)
	return leaves
}

// PerftMoves is Perft, and also returns how many moves it made.
func PerftMoves[P Position[P]](p P, depth int) (leaves, made int64) {
	var c perft[P]
	leaves = c.leaves(p, depth)
	return leaves, c.made
}

// perft is a count on its way. All its positions share one slice of moves.
type perft[P Position[P]] struct {
	moves []Move
	made  int64
}

// leaves counts below p. It appends the moves of p behind those of the positions
// before it, and takes them away again.
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
