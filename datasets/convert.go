package datasets

import (
	"errors"
	"iter"
)

// Convert writes a table anew, in the format that the name of the output ends in. Rows and
// meta stay what they are: a table that is converted and converted back has the same
// bytes, unless it was of version 1. A CSV holds no meta and no units, its manifest does.
func Convert(from, to string) (Manifest, error) {
	m, err := ReadManifest(from)
	if err != nil {
		return Manifest{}, err
	}
	switch m.Meta.Kind {
	case Positions:
		err = Write(to, m.Meta, stream[PositionRow](from))
	case Labels:
		err = Write(to, m.Meta, stream[LabelRow](from))
	default:
		err = Write(to, m.Meta, stream[FeatureRow](from))
	}
	if err != nil {
		return Manifest{}, err
	}
	return ReadManifest(to)
}

var errEnough = errors.New("no more rows are wanted")

// stream is the rows of a table as they are read.
func stream[R Row[R]](path string) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		_, err := Scan(path, func(chunk []R) error {
			for _, r := range chunk {
				if !yield(r, nil) {
					return errEnough
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			var none R
			yield(none, err)
		}
	}
}
