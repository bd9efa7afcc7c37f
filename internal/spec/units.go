package spec

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Duration is a time.Duration written as "200ms".
type Duration struct{ time.Duration }

// UnmarshalText implements [encoding.TextUnmarshaler]. Empty text is a zero duration.
func (d *Duration) UnmarshalText(text []byte) (err error) {
	d.Duration = 0
	if len(text) > 0 {
		d.Duration, err = time.ParseDuration(string(text))
	}
	if err != nil || d.Duration < 0 {
		return errors.New("expected a time such as 200ms")
	}
	return nil
}

// MarshalText implements [encoding.TextMarshaler]. A zero duration is empty text.
func (d Duration) MarshalText() ([]byte, error) {
	if d.Duration == 0 {
		return nil, nil
	}
	return []byte(d.String()), nil
}

// Size is a number of bytes, written as 512MB or 1.5GiB.
type Size int64

// sizeUnits are the units of sizes, in bytes.
var sizeUnits = []struct {
	name  string
	bytes float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
}

// UnmarshalText implements [encoding.TextUnmarshaler]. Empty text is a size of 0.
func (s *Size) UnmarshalText(text []byte) error {
	*s = 0
	if len(text) == 0 {
		return nil
	}
	for _, unit := range sizeUnits {
		number, found := strings.CutSuffix(strings.ToLower(string(text)), strings.ToLower(unit.name))
		if !found {
			continue
		}
		n, err := strconv.ParseFloat(number, 64)
		if bytes := n * unit.bytes; err == nil && bytes >= 1 && bytes <= largest {
			*s = Size(bytes)
			return nil
		}
	}
	return errors.New("expected a size such as 512MB or 4GB")
}

// MarshalText implements [encoding.TextMarshaler]. A size of 0 is empty text.
func (s Size) MarshalText() ([]byte, error) {
	if s == 0 {
		return nil, nil
	}
	return fmt.Appendf(nil, "%gMB", float64(s)/1e6), nil
}
