package endgame

import (
	"bytes"
	"os"
	"testing"

	"kroo/games/oware"
)

// TestDefaultTableIsWhatIsBuilt compares small levels, or all of them with KROO_LONG=1.
func TestDefaultTableIsWhatIsBuilt(t *testing.T) {
	tab, err := Default(oware.Abapa)
	if err != nil {
		t.Fatal(err)
	}
	if tab.Seeds() != DefaultSeeds || tab.Resolved() != 9 || tab.Bounds() != Sharp || len(abapa) > 3<<20 {
		t.Errorf("%d seeds, %s, %d bytes", tab.Seeds(), tab.Bounds(), len(abapa))
	}
	seeds := 6 // more take longer to resolve
	if os.Getenv("KROO_LONG") != "" {
		seeds = DefaultSeeds
	}
	want, err := Build(t.Context(), Config{Rules: oware.Abapa, Bounds: Sharp, Seeds: seeds, Resolve: min(seeds, tab.Resolved())}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(tab.data[:len(want.data)], want.data) {
		t.Error("the default table is not what the program builds")
	}
	if err := tab.Close(); err != nil {
		t.Fatal(err)
	}
	if again, err := Default(oware.Abapa); err != nil || again.data == nil {
		t.Errorf("after closing one: %v", err)
	}
}
