package strict

import (
	"fmt"
	"strconv"
	"strings"
)

// Number parses a decimal number, such as -1.5 or 2e-3, or NaN or Inf, as spreadsheets, data frames
// and databases write them. It refuses Go's own syntax, such as 1_000 and 0x1p3, which these programs
// read as text.
func Number(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.ContainsAny(text, "_xX") {
		return 0, fmt.Errorf("%.40q: expected a decimal number", text)
	}
	return v, nil
}
