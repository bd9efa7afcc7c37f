package strict

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// Small, deeply nested configurations would take gigabytes to decode.
func TestNestedConfigurationsTakeLittleMemory(t *testing.T) {
	const n = 3000
	brackets := strings.Repeat("[ ", deepestTOML) + strings.Repeat("] ", deepestTOML)
	var keys strings.Builder
	for i := range longestTOML / 8 {
		fmt.Fprintf(&keys, "%x=0,", i)
	}
	for name, c := range map[string]struct{ text, want string }{
		"inline tables": {"seed = 1\na" + strings.Repeat("={a", n), "line 2: nested too deep"},
		"dotted key":    {strings.Repeat("a.", n) + "a = 1", "line 1: nested too deep"},
		"quoted key":    {strings.Repeat(`"a#" . `, n) + "a = 1", "nested too deep"},
		"table":         {"[" + strings.Repeat("a.", n) + "a]", "nested too deep"},
		"many tables":   {strings.Repeat("["+strings.Repeat("a.", 30)+"a]\n", n/3), "nested too deep"},
		"arrays":        {"a = " + strings.Repeat("[\n", n), "line 7: nested too deep"},
		"after strings": {"a = \"\"\"x\\\"\"\"\"\"\nb = '''y''''\nc = \"\\\"\"\n# \" '\rd" + strings.Repeat("={a", n), "line 4: nested too deep"},
		"long":          {"a = \"" + strings.Repeat("a", longestTOML) + "\"", "at most 131072"},
		"many keys":     {strings.Repeat("a.a.a.a.a.a.a={", deepestTOML) + keys.String() + strings.Repeat("}", deepestTOML), ""},
		"as it may be":  {"a = " + brackets + "# " + strings.Repeat("[.", n) + "\nb = '" + strings.Repeat("{.", n) + "'\nc = [" + strings.Repeat("0.5, ", n) + "]", ""},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Table(c.text)
		runtime.ReadMemStats(&after)
		if c.want == "" {
			testkit.NoError(t, err)
		} else {
			testkit.Refused(t, err, c.want)
		}
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 128 {
			t.Errorf("%s: %d bytes took %d MB", name, len(c.text), took)
		}
	}
}
