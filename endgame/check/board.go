package check

import "slices"

// board has the seeds of the twelve houses, the mover's six first.
type board [12]int

// seeds counts the seeds on the mover's side (first is 0) or the opponent's (first is 6).
func (b board) seeds(first int) (n int) {
	for _, s := range b[first : first+6] {
		n += s
	}
	return n
}

// move is the result of a move: the board from the opponent's point of view, and the seeds captured.
type move struct {
	after board
	gain  int
}

// sow plays a house, legal or not.
func (b board) sow(rules string, house int) move {
	sown, last := b, house
	sown[house] = 0
	for range b[house] {
		last = (last + 1) % 12
		if last == house {
			last = (last + 1) % 12 // a lap skips the house that is sown
		}
		sown[last]++
	}
	after, gain := sown, 0
	for ; last >= 6 && (after[last] == 2 || after[last] == 3); last-- {
		gain += after[last]
		after[last] = 0
	}
	if rules == "abapa" && after.seeds(6) == 0 { // a grand slam captures nothing
		after, gain = sown, 0
	}
	return move{board(slices.Concat(after[6:], after[:6])), gain}
}

// moves returns the legal moves.
func (b board) moves(rules string) (all []move) {
	for house, s := range b[:6] {
		if s > 0 {
			all = append(all, b.sow(rules, house))
		}
	}
	feeding := slices.DeleteFunc(slices.Clone(all), func(m move) bool { return m.after.seeds(0) == 0 })
	if rules == "abapa" && b.seeds(6) == 0 || rules == "awari" && len(feeding) > 0 {
		return feeding
	}
	return all
}

// comb[n][k] is the number of ways to choose k of n.
var comb = func() (c [37][13]int) {
	for n := range c {
		c[n][0] = 1
		for k := 1; k <= min(n, 12); k++ {
			c[n][k] = c[n-1][k-1] + c[n-1][k]
		}
	}
	return c
}()

// positions returns the number of boards with n seeds.
func positions(n int) int { return comb[n+11][11] }

// index returns a board's number among those with as many seeds (docs/formats.md).
func (b board) index() (index int) {
	seeds := 0
	for i, n := range b[:11] {
		seeds += n
		index += comb[seeds+i][i+1]
	}
	return index
}

// at is the inverse of index for boards of n seeds.
func at(n, index int) (b board) {
	for i := 10; i >= 0; i-- {
		seeds := n
		for comb[seeds+i][i+1] > index {
			seeds--
		}
		index -= comb[seeds+i][i+1]
		b[i+1], n = n-seeds, seeds
	}
	b[0] = n
	return b
}
