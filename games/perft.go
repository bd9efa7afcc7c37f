package games

// Perft counts the positions reached by every sequence of depth legal moves.
// Games that end earlier do not count, and repetitions are not looked for.
// Every move is made; a game may have a faster count of its own.
func Perft[P Position[P]](p P, depth int) int64 {
	n, _ := perft(p, depth, nil)
	return n
}

// perft appends the moves of p behind those of the positions before it, so
// that all of them share one slice, and returns the slice, perhaps grown.
func perft[P Position[P]](p P, depth int, moves []Move) (leaves int64, grown []Move) {
	if depth <= 0 {
		return 1, moves
	}
	if _, over := p.Terminal(); over {
		return 0, moves
	}
	first := len(moves)
	moves = p.AppendMoves(moves)
	last := len(moves)
	for i := first; i < last; i++ {
		var n int64
		n, moves = perft(p.Play(moves[i]), depth-1, moves[:last])
		leaves += n
	}
	return leaves, moves
}
