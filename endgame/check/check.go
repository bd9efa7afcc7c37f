// Package check checks endgame tables and shares no code with what builds them: it has rules of
// its own, written from docs/architecture.md, reads files by docs/formats.md alone, and finds
// values by the plainest iteration. docs/bounds.md has its proof.
package check

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
)

// Config says how much is searched in settled levels, whose values do not follow from others.
type Config struct {
	Samples int // positions of each level that the bounds leave open
	Budget  int // nodes looked at for each of them and each number of seeds
	Seed    uint64
}

// Level tells what was checked of the positions with so many seeds.
type Level struct {
	Seeds, Positions int
	Open             int // positions of a settled level whose bounds are no value
	Questions        int // of the samples: can the mover take k seeds?
	Answered         int // of these, within the budget
	Wider            int // of these, which the table leaves open: its bounds hold and could be narrower
}

// Table checks a file's bytes. The error names the first position whose value is wrong. progress
// receives the number of positions done and of all.
func Table(ctx context.Context, file []byte, c Config, progress func(done, total int64)) (list []Level, err error) {
	t, err := read(file)
	if err != nil {
		return nil, err
	}
	for n := range t.seeds + 1 {
		progress(int64(comb[n+11][12]), int64(comb[t.seeds+12][12]))
		found, err := t.check(t.level(ctx, n), c)
		if err != nil {
			return list, err
		}
		list = append(list, found)
	}
	progress(int64(comb[t.seeds+12][12]), int64(comb[t.seeds+12][12]))
	return list, nil
}

// check checks a level. Those below have passed.
func (t *table) check(l *level, c Config) (Level, error) {
	values, sure := t.values[l.n], l.sure()
	wrong, open := l.compare(values, sure, l.n <= t.settled)
	var err error
	if wrong >= 0 {
		err = l.fault(wrong, values, fmt.Sprintf("their bounds are %d and %d", sure[wrong], sure[wrong+1]))
	}
	found := Level{Seeds: l.n, Positions: len(l.quiet), Open: len(open)}
	rng := rand.New(rand.NewPCG(c.Seed, uint64(l.n)))
	rng.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
	for k := 1; k <= l.n && err == nil; k++ {
		err = l.search(open[:min(c.Samples, len(open))], sure, values, k, c.Budget, &found)
	}
	return found, cmp.Or(l.ctx.Err(), err)
}

// compare compares values with the bounds: they are the same, or in a settled level within them.
// It returns the first position where they are not, -1 for none, and those of a settled level
// whose bounds are no value.
func (l *level) compare(values, sure []int8, settled bool) (wrong node, open []node) {
	for v := node(0); int(v) < len(values); v += 2 {
		a, b, least, other := values[v], values[v+1], sure[v], sure[v+1]
		if (a != least || b != other) && (!settled || a < least || b < other || int(a)+int(b) > l.n) {
			return v, nil
		}
		if settled && int(least)+int(other) < l.n {
			open = append(open, v)
		}
	}
	return -1, open
}

// search asks of positions whether the mover can take k seeds, where the bounds do not tell.
func (l *level) search(list []node, sure, values []int8, k, budget int, found *Level) error {
	q := l.ask(sure, k, budget)
	for _, v := range list {
		if q.known(v) != 0 {
			continue
		}
		q.budget = budget
		got, says := q.answer(v), q.tell(values[v], values[v+1])
		if got*says < 0 {
			return l.fault(v, values, fmt.Sprintf("a search whether the mover can take %d says %d", k, got))
		}
		found.Questions++
		found.Answered += got * got
		found.Wider += got*got - says*says*got*got
	}
	return nil
}

func (l *level) fault(v node, values []int8, why string) (err error) {
	board{}.each(l.n, 12, func(b board) {
		if b.index() == v/2 {
			err = fmt.Errorf("%d, the mover's houses first: the table says %d and %d for the mover and the other; %s", b, values[v], values[v+1], why)
		}
	})
	return err
}
