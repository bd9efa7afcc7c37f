package dropout

import (
	"testing"

	"kroo/games/oware"
)

func TestLineNamesMovesByTheirSide(t *testing.T) {
	if got := line([]oware.Move{5, 5, 0}, oware.South); got != "FfA" {
		t.Errorf("got %q", got)
	}
}
