package outline

import (
	"math"
	"strconv"
	"strings"
)

// FormatEstimate formats an estimate and its standard error: the error with two significant digits, the
// estimate to the same decimal place. A fixed number of decimals would show a weight per unit of a large
// column as 0.000 ± 0.000. With an error that is unknown (NaN) or 0, the estimate has four digits.
func FormatEstimate(value, stdErr float64) (text, errText string) {
	if math.IsNaN(stdErr) {
		return Significant(value, 4), "–"
	}
	if stdErr == 0 {
		return Significant(value, 4), "0"
	}
	lastPlace := exponentOf(stdErr, 2) - 1
	lastPlace = max(lastPlace, exponentOf(value, 1)-mostDigits+1)
	if value == 0 && !isPlain(stdErr, 2) {
		return "0", Significant(stdErr, 2)
	}
	if isPlain(max(math.Abs(value), stdErr), 2) {
		return strconv.FormatFloat(value, 'f', max(0, -lastPlace), 64), Significant(stdErr, 2)
	}
	digits := max(1, exponentOf(value, 1)-lastPlace+1)
	return strconv.FormatFloat(value, 'e', digits-1, 64), strconv.FormatFloat(stdErr, 'e', 1, 64)
}

// mostDigits limits the digits of an estimate whose error is tiny, as in a perfect fit.
const mostDigits = 7

// Significant formats a number with the given number of significant digits, with an exponent if it is
// below 0.0001 or above 9 999 999. Whole digits are never rounded: 1234 with two digits is 1234.
func Significant(v float64, digits int) string {
	if v == 0 {
		return "0"
	}
	if isPlain(v, digits) {
		return strconv.FormatFloat(v, 'f', max(0, digits-1-exponentOf(v, digits)), 64)
	}
	return strconv.FormatFloat(v, 'e', digits-1, 64)
}

// isPlain reports whether a number is written without an exponent.
func isPlain(v float64, digits int) bool {
	exponent := exponentOf(v, digits)
	return -4 <= exponent && exponent <= 6
}

// exponentOf returns the power of ten of the first digit of v, rounded to the given number of digits.
func exponentOf(v float64, digits int) int {
	text := strconv.FormatFloat(math.Abs(v), 'e', digits-1, 64)
	_, exponent, _ := strings.Cut(text, "e")
	n, _ := strconv.Atoi(exponent)
	return n
}
