package regress

import (
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"io/fs"

	"kroo/internal/atomicfile"
	"kroo/internal/vfs"
)

// StatePath is where the fit of weights to a file is kept until they are written.
func StatePath(out string) string { return out + ".state" }

// TrialsPath is the same for a choice of ridges.
func TrialsPath(out string) string { return out + ".trials" }

// saved reads what a stopped fit has left, if it has left anything.
func saved(path string, v encoding.BinaryUnmarshaler) (found bool, err error) {
	data, err := vfs.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = v.UnmarshalBinary(data)
	}
	if err != nil {
		return false, startAnew(fmt.Errorf("%s: %w", path, err), path)
	}
	return true, nil
}

// keep writes what a later fit continues from.
func keep(path string, v encoding.BinaryMarshaler) error {
	data, err := v.MarshalBinary()
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(path, data)
}

func startAnew(err error, path string) error {
	return fmt.Errorf("%w; delete %s to start over", err, path)
}

func (f *patternFit[P]) removeState() error {
	return cmp.Or(vfs.RemoveIfThere(StatePath(f.Out)), vfs.RemoveIfThere(TrialsPath(f.Out)))
}
