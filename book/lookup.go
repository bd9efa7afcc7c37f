package book

// block is how many entries share a fence. A book of a million entries takes a
// binary search twenty steps, most of them a cache miss; the fences fit into the
// second-level cache, and a block into a few cache lines.
const block = 16

// newFences copies the key of the first entry of each block.
func (b *Book) newFences() []int64 {
	fences := make([]int64, 0, b.Len()/block+1)
	for i := 0; i < b.Len(); i += block {
		fences = append(fences, b.key(i))
	}
	return fences
}

func (b *Book) key(i int) int64 { return decodeKey(b.entries[i*entrySize:]) }

// Lookup finds a position by its key ([oware.Position.BookKey]) in O(log n) and
// allocates nothing. It may miss entries of a book that is not in order, which only
// Verify notices.
func (b *Book) Lookup(key int64) (Entry, bool) {
	if b.file.Mapped() {
		return b.lookupMapped(key)
	}
	return b.lookup(key)
}

// lookupMapped is Lookup where the file may be cut short at any moment: [Book.Err] tells.
func (b *Book) lookupMapped(key int64) (e Entry, found bool) {
	err := b.file.Guard(func() { e, found = b.lookup(key) })
	return e, found && err == nil
}

func (b *Book) lookup(key int64) (Entry, bool) {
	i, found := b.find(key)
	if !found {
		return Entry{}, false
	}
	return decodeEntry(b.entries[i*entrySize:][:entrySize]), true
}

// find is the number of the entry with that key. Both loops halve a range of n places
// from at on, and keep the half with the last key that is not above key. They compile
// without a branch that could be mispredicted.
func (b *Book) find(key int64) (at int, found bool) {
	for n := len(b.fences); n > 1; n -= n / 2 {
		if b.fences[at+n/2] <= key {
			at += n / 2
		}
	}
	at *= block
	for n := min(block, b.Len()-at); n > 1; n -= n / 2 {
		if b.key(at+n/2) <= key {
			at += n / 2
		}
	}
	return at, at < b.Len() && b.key(at) == key
}
