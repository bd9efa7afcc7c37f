package chess

// perft counts the positions reached by every sequence of depth legal moves. Unlike
// [games.Perft] it goes on where a game is drawn for lack of material, as the published
// counts do, and makes no move of the last ply.
func (p Position) perft(depth int) int64 {
	leaves, _ := p.leaves(depth, true)
	return leaves
}

// perftMoves is perft that makes the moves of the last ply as well, and tells how many
// moves it has made.
func (p Position) perftMoves(depth int) (leaves, made int64) { return p.leaves(depth, false) }

func (p *Position) leaves(depth int, bulk bool) (leaves, made int64) {
	if depth <= 0 {
		return 1, 0
	}
	var room [MaxMoves]Move
	moves := p.AppendMoves(room[:0])
	if depth == 1 && bulk {
		return int64(len(moves)), 0
	}
	for _, m := range moves {
		q := p.Play(m)
		n, below := q.leaves(depth-1, bulk)
		leaves += n
		made += below + 1
	}
	return leaves, made
}
