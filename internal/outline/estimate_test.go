package outline

import (
	"math"
	"testing"
)

func TestAnEstimateHasTheDigitsOfItsError(t *testing.T) {
	for _, c := range []struct {
		value, stdErr float64
		text, errText string
	}{
		{3.6012, 0.0534, "3.601", "0.053"},
		{-3.6012, 0.534, "-3.60", "0.53"},
		{42.417, 0.184, "42.42", "0.18"},
		{2.4142e-5, 5.43e-7, "2.414e-05", "5.4e-07"},
		{5.0433e10, 1.21e9, "5.04e+10", "1.2e+09"},
		{1.21e9, 7890636, "1.2100e+09", "7.9e+06"},
		{0, 5.43e-7, "0", "5.4e-07"},
		{12345.678, 123.4, "12346", "123"},
		{0.00071, 0.0534, "0.001", "0.053"},
		{0.00002, 0.0534, "0.000", "0.053"},
		{0, 0.0534, "0.000", "0.053"},
		{1.2e-9, 5.43e-7, "1e-09", "5.4e-07"},
		{0.00012, 3.4e-6, "0.0001200", "3.4e-06"},
		{3.6012, 0.0996, "3.60", "0.10"},
		{9.9996, 0.0534, "10.000", "0.053"},
		{36, 1.23e-16, "36.00000", "1.2e-16"},
		{36, 0, "36.00", "0"},
		{-0.0123456, math.NaN(), "-0.01235", "–"},
	} {
		text, errText := FormatEstimate(c.value, c.stdErr)
		if text != c.text || errText != c.errText {
			t.Errorf("%v ± %v is %s ± %s: want %s ± %s", c.value, c.stdErr, text, errText, c.text, c.errText)
		}
	}
}
