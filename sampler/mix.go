package sampler

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// share is a part of a mix.
type share struct {
	method string
	part   float64 // fraction of the whole, after parseShares
	n      int     // positions
}

// parseShares parses "games=0.7,uniform=0.3". Shares are relative: 7 and 3 mean the same.
func parseShares(text string) (list []share, err error) {
	sum := 0.0
	for word := range strings.SplitSeq(text, ",") {
		method, number, _ := strings.Cut(strings.TrimSpace(word), "=")
		part, err := strconv.ParseFloat(number, 64)
		again := slices.ContainsFunc(list, func(s share) bool { return s.method == method })
		if err != nil || again || method == Mix || !slices.Contains(methods, method) || !(part > 0 && part <= 1e6) {
			return nil, fmt.Errorf("the share %.40q: expected a method, once, and its share, as in games=0.7,uniform=0.3", word)
		}
		list = append(list, share{method: method, part: part})
		sum += part
	}
	for i := range list {
		list[i].part /= sum
	}
	return list, nil
}

// divide splits n positions among the shares by the method of largest remainders.
func divide(list []share, n int) []share {
	left := n
	order := make([]int, len(list))
	for i := range list {
		list[i].n = int(list[i].part * float64(n))
		left -= list[i].n
		order[i] = i
	}
	rest := func(i int) float64 { _, frac := math.Modf(list[i].part * float64(n)); return frac }
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(rest(j), rest(i)) })
	for k := range left {
		list[order[k%len(order)]].n++
	}
	return list
}

// uses reports whether a configuration draws by a method, alone or in a mix.
func (c Config) uses(method string) bool {
	if c.Method != Mix {
		return c.Method == method
	}
	list, _ := parseShares(c.Shares)
	return slices.ContainsFunc(list, func(s share) bool { return s.method == method })
}
