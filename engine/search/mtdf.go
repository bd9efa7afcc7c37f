package search

// mtdf is the textbook search of A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin
// (Best-first fixed-depth minimax algorithms, 1996): null-window alpha-beta tests whether
// the value is at least a guess, its result is the next guess, and a memory spares each
// search the work of earlier ones.
type mtdf[P Position[P]] struct {
	*oracle[P]
	memory map[mtdfKey[P]]mtdfBounds
}

// mtdfKey identifies a position of the search. Because of repetitions, its value depends on
// the reversible line before it, which the key includes as a sum of hashes.
type mtdfKey[P any] struct {
	position P
	line     uint64
	ply      int
}

// mtdfBounds are the known bounds of a value.
type mtdfBounds struct{ low, high int }

// mtdfMemory is the number of positions at which the memory is cleared.
const mtdfMemory = 1 << 19

// mtdf searches to the given depth. The first guess comes from a search two plies shallower,
// because values swing with the side that moves last.
func (o *oracle[P]) mtdf(root P, depth int) (guess int) {
	for d := depth & 1; d <= depth; d += 2 {
		m := mtdf[P]{o, map[mtdfKey[P]]mtdfBounds{}}
		for b := (mtdfBounds{-Win, Win}); b.low < b.high && !o.done; {
			beta := max(guess, b.low+1)
			if guess = m.search(root, d, 0, beta); guess < beta {
				b.high = guess
			} else {
				b.low = guess
			}
		}
	}
	return guess
}

// search tests whether the value is at least beta. It returns a lower bound of at least beta
// if so, else an upper bound below beta (fail-soft).
func (m mtdf[P]) search(p P, depth, ply, beta int) int {
	if score, ok := m.leaf(p, depth, ply); ok {
		return score
	}
	key := mtdfKey[P]{p, m.reversibleLine(p), ply}
	known, found := m.memory[key]
	if !found {
		known = mtdfBounds{-Win, Win}
	}
	if known.low >= beta {
		return known.low
	}
	if known.high < beta {
		return known.high
	}
	m.path = append(m.path, p)
	best := -Win
	for _, move := range p.AppendMoves(nil) {
		if best = max(best, -m.search(p.Play(move), depth-1, ply+1, 1-beta)); best >= beta {
			break
		}
	}
	m.path = m.path[:len(m.path)-1]
	if best < beta {
		known.high = best
	} else {
		known.low = best
	}
	if len(m.memory) >= mtdfMemory {
		clear(m.memory)
	}
	if !m.done {
		m.memory[key] = known
	}
	return best
}

// reversibleLine returns a hash of the positions before p that can recur.
func (o *oracle[P]) reversibleLine(p P) (sum uint64) {
	for _, q := range o.path {
		if q.Progress() == p.Progress() {
			sum += q.Key()
		}
	}
	return sum
}
