package games

import "strconv"

// Quote makes any text fit for one line of an error message: quoted, and cut if it is
// long.
func Quote(s string) string {
	const most = 60
	if len(s) > most {
		return strconv.Quote(s[:most]) + "…"
	}
	return strconv.Quote(s)
}
