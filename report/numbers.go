package report

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kroo/games/oware"
	"kroo/internal/agreement"
	"kroo/internal/outline"
)

// A Point is one data point. Each figure documents X and Y.
type Point struct{ X, Y float64 }

// maxValue is the largest value to draw. Labels are within 1000 points and fitted values within a
// few thousand, so larger ones are a mistake of the caller.
const maxValue = 1e6

// checkPoints returns an error for values that cannot be drawn.
func checkPoints(figure string, points []Point, x, y string) error {
	for i, p := range points {
		name, v := x, p.X
		if math.Abs(v) <= maxValue { // false for NaN, too
			name, v = y, p.Y
		}
		if !(math.Abs(v) <= maxValue) {
			return fmt.Errorf("%s: point %d: %s is %v, expected a finite number within ±%.0f", figure, i, name, v, maxValue)
		}
	}
	return nil
}

// summarize compares predictions (X) with labels (Y).
func summarize(points []Point) (s agreement.Sums) {
	for _, p := range points {
		s.Add(p.X, p.Y, 1)
	}
	return s
}

// quantile returns a quantile of sorted, non-empty values, linear between neighbours.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// tickStep is the smallest round step of at least v, up to rounding errors; a whole one is at least 1.
func tickStep(v float64, whole bool) float64 {
	if whole {
		v = max(v, 1)
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if v <= m*power*(1+1e-9) && !(whole && m*power != math.Trunc(m*power)) {
			return m * power
		}
	}
	return 10 * power
}

// evenStep is the round step, of half a unit or more, that is nearest to v.
func evenStep(v float64) float64 {
	upper := tickStep(max(v, 0.5), false)
	if lower := tickStep(upper/2.5, false); lower >= 0.5 && v*v < lower*upper {
		return lower
	}
	return upper
}

// reach returns the half-width of an axis for values of the given sizes. It covers all
// of them, or if the largest is far above all but a thousandth of them, the rest.
func reach(sizes []float64) float64 {
	slices.Sort(sizes)
	most := sizes[len(sizes)-1]
	if bulk := quantile(sizes, 0.999); most > 1.5*bulk && bulk > 0 {
		return bulk
	}
	return most
}

// Integer formats a whole number in groups of three, with a minus sign and no-break spaces: −41 036.
func Integer[T int | int32 | int64](n T) string { return groupDigits(strconv.FormatInt(int64(n), 10)) }

// groupDigits sets the digits before the point in groups, and a minus sign for a hyphen.
func groupDigits(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "−", s[1:]
	}
	if strings.Contains(s, "e") {
		return sign + s
	}
	whole, rest, point := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "\u00a0" + whole[i:]
	}
	if point {
		rest = "." + rest
	}
	return sign + whole + rest
}

// Dash is the text of a table's cell without a value.
const Dash = "–"

// OrDash returns the text of a table's cell: [Dash] unless its value is known.
func OrDash(known bool, text string) string {
	if !known {
		return Dash
	}
	return text
}

// Plural formats a count with its noun.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Integer(n) + " " + noun + "s"
}

// Number formats v with a fixed number of decimals, grouped as by [Integer]: −1 024.5. Zero has no
// sign, also after rounding, and NaN is "undefined".
func Number(v float64, decimals int) string {
	if math.IsNaN(v) {
		return "undefined"
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return groupDigits(s)
}

// numbers returns a function that formats values with as many decimals as distinguish them:
// none for whole ones, otherwise three digits of their range.
func numbers(values []float64) func(float64) string {
	whole := func(v float64) bool { return v == math.Trunc(v) }
	decimals := 0
	if len(values) > 0 && slices.ContainsFunc(values, func(v float64) bool { return !whole(v) }) {
		width := slices.Max(values) - slices.Min(values)
		if width == 0 {
			width = math.Abs(values[0])
		}
		decimals = min(max(0, 2-int(math.Floor(math.Log10(width)))), 9)
	}
	return func(v float64) string { return Number(v, decimals) }
}

// SignedNumber is [Number] with a plus sign for values above zero.
func SignedNumber(v float64, decimals int) string {
	return addSign(v, Number(v, decimals))
}

// addSign adds a plus sign to the text of a value above zero, unless it is rounded to zero.
func addSign(v float64, text string) string {
	if v > 0 && strings.Trim(text, "0.") != "" {
		return "+" + text
	}
	return text
}

// SignedEstimate formats an estimate and its error bar like [outline.FormatEstimate], with signs and groups as
// [SignedNumber] has them.
func SignedEstimate(value, bar float64) (text, barText string) {
	text, barText = outline.FormatEstimate(value, bar)
	return addSign(value, groupDigits(text)), groupDigits(barText)
}

// clean turns text from outside into one line of valid XML text, with minus signs.
func clean(s string) string {
	return minusSigns(strings.Map(printable, strings.ToValidUTF8(s, "\ufffd")))
}

// hyphened matches a hyphen before a digit, at the beginning of a word, and the rest of the word.
var hyphened = regexp.MustCompile(`(^|[\s\x{a0}(\[±])-([0-9][^\s\x{a0},;:)\]%*]*)`)

// minusSigns sets a minus sign for the hyphen of each negative number, as terminals print it. Hyphens in
// dates, boards and names stay.
func minusSigns(s string) string {
	return hyphened.ReplaceAllStringFunc(s, func(part string) string {
		before, number, _ := strings.Cut(part, "-")
		_, err := strconv.ParseFloat(strings.TrimRight(number, "."), 64)
		if err != nil {
			return part // a word that begins with a hyphen
		}
		return before + "−" + number
	})
}

// printable replaces line breaks, and characters that XML forbids, by spaces.
func printable(r rune) rune {
	if r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0xfffe && r <= 0xffff {
		return ' '
	}
	return r
}

// perSeed is the number of points per seed.
var perSeed = oware.Descriptor().PointsPerUnit()
