package check

// board is the seeds of the twelve houses, the mover's six first.
type board [12]int

// seeds is how many are on the mover's side (first is 0) or the other's (6).
func (b board) seeds(first int) (n int) {
	for _, s := range b[first : first+6] {
		n += s
	}
	return n
}

// sow plays a house, legal or not: the board afterwards, still as the mover sees it, and the
// seeds captured.
func (b board) sow(rules string, house int) (after board, gain int) {
	after, after[house] = b, 0
	last := house
	for range b[house] {
		if last = (last + 1) % 12; last == house {
			last = (last + 1) % 12 // a lap skips the house it began in
		}
		after[last]++
	}
	sown := after
	for ; last >= 6 && (after[last] == 2 || after[last] == 3); last-- {
		gain += after[last]
		after[last] = 0
	}
	if rules == "abapa" && after.seeds(6) == 0 {
		return sown, 0 // a grand slam captures nothing
	}
	return after, gain
}

// legal are the houses that the mover may play.
func (b board) legal(rules string) (all []int) {
	var feeding []int
	for house := range 6 {
		if b[house] == 0 {
			continue
		}
		all = append(all, house)
		if after, _ := b.sow(rules, house); after.seeds(6) > 0 {
			feeding = append(feeding, house)
		}
	}
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

// positions is how many boards have n seeds.
func positions(n int) int { return comb[n+11][11] }

// index is a board's place among those with as many seeds (docs/formats.md).
func (b board) index() (index int32) {
	seeds := 0
	for i, n := range b[:11] {
		seeds += n
		index += int32(comb[seeds+i][i+1])
	}
	return index
}

// each calls f for every way to put n seeds into the first houses of b.
func (b board) each(n, houses int, f func(board)) {
	if houses == 1 {
		b[0] = n
		f(b)
		return
	}
	for s := range n + 1 {
		b[houses-1] = s
		b.each(n-s, houses-1, f)
	}
}
