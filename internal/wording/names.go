package wording

import "strings"

// List joins words for a message: "a", "a or b", "a, b or c" with the conjunction "or".
func List(words []string, conjunction string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}

// Expect describes what is accepted instead of a name, for the end of an error:
// "did you mean captures? expected default, captures or thesis4".
func Expect(given string, names []string) string {
	return Suggest(given, names) + "expected " + List(names, "or")
}

// maxSuggested is the greatest number of names in a suggestion.
const maxSuggested = 3

// maxName is the length beyond which a text is no misspelt name.
const maxName = 100

// Suggest returns a question about the names most similar to a given one, with a space after it: "did you
// mean captures? ". It returns "" if none is similar.
func Suggest(given string, names []string) string {
	nearest := FindSimilar(given, names)
	if len(nearest) == 0 {
		return ""
	}
	return "did you mean " + List(nearest, "or") + "? "
}

// mostEdits is the number of edits beyond which a text is another name, however long it is.
const mostEdits = 3

// FindSimilar returns the names that take the fewest edits to make from a given one, if these are few
// for its length; or else the names that begin with it.
func FindSimilar(given string, names []string) (nearest []string) {
	if len(given) > maxName {
		return nil
	}
	given = strings.ToLower(given)
	fewest := min(max(1, len(given)/3), mostEdits)
	var longer []string
	for _, name := range names {
		lower := strings.ToLower(name)
		edits := countEdits(given, lower)
		if edits >= max(len(given), len(lower)) {
			continue
		}
		if edits < fewest {
			nearest = nil
			fewest = edits
		}
		if edits == fewest {
			nearest = append(nearest, name)
		}
		if len(given) > 1 && strings.HasPrefix(lower, given) {
			longer = append(longer, name)
		}
	}
	if len(nearest) == 0 {
		nearest = longer
	}
	return nearest[:min(len(nearest), maxSuggested)]
}

// countEdits returns how many letters have to be inserted, deleted, replaced or swapped with the next one to
// make one word from the other (the optimal string alignment distance).
func countEdits(from, to string) int {
	rows := make([][]int, len(from)+1) // rows[i][j] is the distance of the first i letters from the first j
	for i := range rows {
		rows[i] = make([]int, len(to)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(from); i++ {
		for j := 1; j <= len(to); j++ {
			replace := rows[i-1][j-1]
			if from[i-1] != to[j-1] {
				replace++
			}
			least := min(rows[i-1][j]+1, rows[i][j-1]+1, replace)
			if i > 1 && j > 1 && from[i-1] == to[j-2] && from[i-2] == to[j-1] {
				least = min(least, rows[i-2][j-2]+1)
			}
			rows[i][j] = least
		}
	}
	return rows[len(from)][len(to)]
}
