package wording

import (
	"fmt"
	"math"
	"time"
)

// Count formats a number and a word with a regular plural: Count(2, "game") is "2 games".
func Count[N int | int64](n N, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// Span formats a number of seconds, such as "2m10s". It returns "" beyond the range of a Duration,
// some 290 years.
func Span(seconds float64) string {
	nanoseconds := seconds * float64(time.Second)
	if !(nanoseconds < math.MaxInt64) {
		return ""
	}
	return time.Duration(max(nanoseconds, 0)).Round(time.Second).String()
}

// Rate formats a rate per second, minute, hour or day, the shortest in which there is at least one
// event: "2.5 games/s", or "2.5/s" without words. It returns "" for rarer events.
func Rate(perSecond float64, words string) string {
	for _, per := range []struct {
		seconds float64
		name    string
	}{{1, "s"}, {60, "min"}, {3600, "h"}, {86400, "day"}} {
		n, unit := perSecond*per.seconds, "/"+per.name
		if words != "" {
			unit = " " + words + unit
		}
		switch {
		case n >= 100 && n < 1e18:
			return fmt.Sprintf("%.0f%s", n, unit)
		case n >= 1 && n < 100:
			return fmt.Sprintf("%.1f%s", n, unit)
		}
	}
	return ""
}
