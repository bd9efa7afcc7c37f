// Package plural counts things in words: [Of](1, "game") is "1 game", Of(2, "game")
// "2 games". Caveats: English words with a plain s.
package plural

import "fmt"

// Of is a number with a word in singular or plural.
func Of[N int | int64](n N, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
