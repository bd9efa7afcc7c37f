package datasets

import (
	"context"

	"kroo/games"
)

// Convert writes a table of a game anew, in the format that the name of the output ends
// in. Rows and meta stay what they are: a table that is converted and converted back has
// the same bytes, unless it was of version 1. A CSV holds no meta and no units, its
// manifest does.
func Convert[P games.Position[P]](ctx context.Context, g *games.Game[P], from, to string) (Manifest, error) {
	m, err := ReadManifest(from)
	if err != nil {
		return Manifest{}, err
	}
	switch m.Meta.Kind {
	case Positions:
		err = Write(g, to, m.Meta, Scan[PositionRow[P]](ctx, g, from))
	case Labels:
		err = Write(g, to, m.Meta, Scan[LabelRow[P]](ctx, g, from))
	default:
		err = Write(g, to, m.Meta, Scan[FeatureRow[P]](ctx, g, from))
	}
	if err != nil {
		return Manifest{}, err
	}
	return ReadManifest(to)
}
