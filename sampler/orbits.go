package sampler

import (
	"errors"
	"iter"
	"math/bits"

	"kroo/internal/checksum"
	"kroo/internal/mapfile"
)

// orbitSet is a set of orbits ([games.Game.Orbit]) that takes at most 12 bytes for each, also while
// it grows. It compares all 64 bits, so it is exact in games in which each orbit has its own number.
// In games whose orbits are hashes, n positions collide with a chance of about n²/2⁶⁴, or 1 in 1800
// for 100 million; then a sample lacks one position, which counts as a repeat, and has another.
//
// It is a hash table in which the hashes are in ascending order (Amble and Knuth, *Ordered hash
// tables*, 1974). As the hash is a bijection, the table has only hashes:
//
//	hash    4·2⁶⁰  5·2⁶⁰  9·2⁶⁰  9·2⁶⁰+1
//	home    2      2      4      4          of 8 homes: ⌊hash·8/2⁶⁴⌋
//	slot    2      3      4      5          the first free one from the home on, in order
//
// So it grows without a copy: slots are added at the end, and a pass over all hashes spreads them.
// Its memory is outside Go's heap, where the garbage collector would let as much garbage pile up.
type orbitSet struct {
	pages   [][]uint64 // slots; 0 is a free slot, and the last slot is free
	homes   uint64
	used    uint64 // slots with a hash
	hasZero bool   // whether the hash 0 is in the set
}

const (
	slotBytes  = 8
	pageSlots  = 1 << 13
	firstHomes = 1 << 10
)

// The table grows when this share of its homes is used, by a quarter: a hash takes 9.3 to 11.7
// bytes. A fuller table would take longer to search, and smaller steps more passes over it.
const maxLoad = 0.86

// newOrbitSet returns an empty set, which [orbitSet.release] releases.
func newOrbitSet() (*orbitSet, error) {
	s := &orbitSet{homes: firstHomes}
	return s, s.reserve(s.homes + 1)
}

// add adds an orbit, and reports whether it is new.
func (s *orbitSet) add(orbit int64) (isNew bool, err error) {
	return s.addHash(checksum.Mix(uint64(orbit)))
}

func (s *orbitSet) addHash(h uint64) (isNew bool, err error) {
	if h == 0 {
		isNew = !s.hasZero
		s.hasZero = true
		return isNew, nil
	}
	if float64(s.used) >= maxLoad*float64(s.homes) {
		if err := s.grow(); err != nil {
			return false, err
		}
	}
	i := home(h, s.homes)
	there := s.at(i)
	for there != 0 && there < h {
		i++
		there = s.at(i)
	}
	if there == h {
		return false, nil
	}
	s.used++
	for there != 0 { // make room
		s.put(i, h)
		h = there
		i++
		there = s.at(i)
	}
	s.put(i, h)
	return true, s.reserve(i + 2)
}

// home returns the slot at which the search for a hash begins.
func home(h, homes uint64) uint64 {
	high, _ := bits.Mul64(h, homes)
	return high
}

func (s *orbitSet) at(i uint64) uint64 { return s.pages[i/pageSlots][i%pageSlots] }

func (s *orbitSet) put(i, h uint64) { s.pages[i/pageSlots][i%pageSlots] = h }

// slots returns the number of slots.
func (s *orbitSet) slots() uint64 { return uint64(len(s.pages)) * pageSlots }

// reserve adds slots until there are at least n.
func (s *orbitSet) reserve(n uint64) error {
	for s.slots() < n {
		page, err := mapfile.Allocate[uint64](pageSlots)
		if err != nil {
			return err
		}
		s.pages = append(s.pages, page)
	}
	return nil
}

// hashes yields the hashes in the slots from a first one on, in ascending order.
func (s *orbitSet) hashes(from uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for i := from; i < s.slots(); i++ {
			if h := s.at(i); h != 0 && !yield(h) {
				return
			}
		}
	}
}

// grow adds a quarter of the homes. It moves all hashes to the end of the slots, and then, from the
// first on, each to the first free slot from its new home on. This never overwrites a hash that has
// yet to move: there are slots up to where the last one will be, and as many after the new slot of
// any hash as hashes after it.
func (s *orbitSet) grow() error {
	homes := s.homes + s.homes/4
	end := uint64(0) // the slot after the last hash
	for h := range s.hashes(0) {
		end = max(end, home(h, homes)) + 1
	}
	if err := s.reserve(max(end, homes) + 1); err != nil {
		return err
	}
	s.homes = homes
	first := s.moveToEnd()
	next := uint64(0)
	for i := first; i < s.slots(); i++ {
		h := s.at(i)
		s.put(i, 0)
		next = max(next, home(h, homes))
		s.put(next, h)
		next++
	}
	return nil
}

// moveToEnd moves all hashes to the last slots, and returns the first of these.
func (s *orbitSet) moveToEnd() (first uint64) {
	first = s.slots()
	for i := first; i > 0; i-- {
		h := s.at(i - 1)
		if h == 0 {
			continue
		}
		s.put(i-1, 0)
		first--
		s.put(first, h)
	}
	return first
}

// release releases the memory of the set.
func (s *orbitSet) release() error {
	var errs []error
	for _, page := range s.pages {
		errs = append(errs, mapfile.Free(page))
	}
	s.pages = nil
	return errors.Join(errs...)
}
