package dropout

// A page holds so many elements.
const (
	pageBits = 12
	pageSize = 1 << pageBits
)

// paged is a slice that grows without copying: its elements stay where they
// are, and no second array is needed while it grows.
type paged[T any] struct {
	pages [][]T
	n     int
}

func (p *paged[T]) len() int { return p.n }

// at is valid as long as the paged is.
func (p *paged[T]) at(i int32) *T { return &p.pages[i>>pageBits][i&(pageSize-1)] }

// add returns the index of the new element.
func (p *paged[T]) add(x T) int32 {
	if p.n == len(p.pages)*pageSize {
		p.pages = append(p.pages, make([]T, pageSize))
	}
	i := int32(p.n)
	p.n++
	*p.at(i) = x
	return i
}
