package commands

import (
	"strconv"
	"strings"
)

// parseRidge reads --ridge: a number, and numbers of single families, such as
// "10,houses=1". Families are nil if none is named.
func parseRidge(text string) (ridge float64, families map[string]float64, err error) {
	for word := range strings.SplitSeq(text, ",") {
		name, number, named := strings.Cut(word, "=")
		if !named {
			name, number = "", word
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(v >= 0 && v <= 1e12) {
			return 0, nil, usagef("--ridge has %.40q: expected a number, or FAMILY=NUMBER, 0 to 1e12, separated by commas", word)
		}
		if !named {
			ridge = v
			continue
		}
		if families == nil {
			families = map[string]float64{}
		}
		families[strings.TrimSpace(name)] = v
	}
	return ridge, families, nil
}
