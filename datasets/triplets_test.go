package datasets

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"kroo/internal/testkit"
)

// Triplets can be read like any other program's table.
func TestTripletsRoundTrip(t *testing.T) {
	var file bytes.Buffer
	const n = chunkRows + 5
	testkit.NoError(t, WriteTriplets(&file, func(add func(row, column int64, value float64) error) error {
		for i := range int64(n) {
			if err := add(i/3, i%7, float64(i)-0.5); err != nil {
				return err
			}
		}
		return nil
	}))
	i := 0
	in := testkit.Must(openParquet(bytes.NewReader(file.Bytes()), memory.NewGoAllocator()))(t)
	testkit.NoError(t, in.cells([]string{"row", "column", "value"}, func(_ string, cells []string) error {
		if want := []string{fmt.Sprint(i / 3), fmt.Sprint(i % 7), fmt.Sprint(float64(i) - 0.5)}; !slices.Equal(cells, want) {
			t.Fatalf("entry %d: %q, expected %q", i, cells, want)
		}
		i++
		return nil
	}))
	if i != n {
		t.Errorf("%d entries, expected %d", i, n)
	}
}
