package dropout

import (
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

func TestLineNamesMovesByTheirSide(t *testing.T) {
	testkit.Equal(t, line([]oware.Move{5, 5, 0}, oware.South), "FfA", "got")
}
