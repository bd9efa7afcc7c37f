package dropout

import (
	"kroo/games/oware"
)

// lookup finds nodes by position: a hash table with open addressing that stores only indices. The
// positions themselves are in the nodes.
type lookup struct {
	slots []index // index of a node plus 1; 0 means empty
	used  int
}

// find returns the node of a position.
func (g *Graph) find(p oware.Position) (index, bool) {
	slots := g.lookup.slots
	if len(slots) == 0 {
		return 0, false
	}
	mask := uint64(len(slots) - 1)
	for at := p.Key() & mask; slots[at] != 0; at = (at + 1) & mask {
		if i := slots[at] - 1; g.nodes.at(i).pos == p {
			return i, true
		}
	}
	return 0, false
}

// enter adds a new node.
func (g *Graph) enter(i index) {
	l := &g.lookup
	if 3*l.used >= 2*len(l.slots) {
		old := l.slots
		l.slots = make([]index, max(2*len(old), 1<<10))
		for _, slot := range old {
			if slot != 0 {
				l.put(g.nodes.at(slot-1).pos.Key(), slot)
			}
		}
	}
	l.put(g.nodes.at(i).pos.Key(), i+1)
	l.used++
}

// put takes the first empty slot, starting at that of the key.
func (l *lookup) put(key uint64, slot index) {
	mask := uint64(len(l.slots) - 1)
	at := key & mask
	for l.slots[at] != 0 {
		at = (at + 1) & mask
	}
	l.slots[at] = slot
}

// Size of a page, in elements.
const (
	pageBits = 12
	pageSize = 1 << pageBits
)

// paged is a slice that grows without copying: its elements keep their addresses, and growing needs
// no second array.
type paged[T any] struct {
	pages [][]T
	n     int
}

func (p *paged[T]) len() int { return p.n }

// at returns a pointer that remains valid when the paged grows.
func (p *paged[T]) at(i int32) *T { return &p.pages[i>>pageBits][i&(pageSize-1)] }

// add appends an element and returns its index.
func (p *paged[T]) add(x T) int32 {
	if p.n == len(p.pages)*pageSize {
		p.pages = append(p.pages, make([]T, pageSize))
	}
	i := int32(p.n)
	p.n++
	*p.at(i) = x
	return i
}
