package features

import (
	"fmt"
	"slices"
	"strings"

	"kroo/games"
)

// ParseSpec reads the spec of a pattern set: some of the given families joined by plus
// signs, in any order, each once. A family followed by /2 to /maxStages, which is below
// 10, has columns of its own for each of that many stages of the game. It returns the
// number of stages by family, 1 if the spec tells none.
func ParseSpec(spec string, families []string, maxStages int) (map[string]int, error) {
	asked := map[string]int{}
	for word := range strings.SplitSeq(spec, "+") {
		name, digits, staged := strings.Cut(word, "/")
		stages := 1
		if staged && len(digits) == 1 {
			stages = int(digits[0]) - '0'
		}
		var err error
		switch {
		case !slices.Contains(families, name):
			err = fmt.Errorf("%s is no family: expected %s, joined by +", games.Quote(name), games.OrList(families))
		case staged && (stages < 2 || stages > maxStages):
			err = fmt.Errorf("%s has %s stages: expected 2 to %d after the stroke", name, games.Quote(digits), maxStages)
		case asked[name] != 0:
			err = fmt.Errorf("family %s: expected once", name)
		}
		if err != nil {
			return nil, fmt.Errorf("feature set %s: %w", games.Quote(spec), err)
		}
		asked[name] = stages
	}
	return asked, nil
}
