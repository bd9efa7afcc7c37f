package regress

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"

	"kroo/internal/atomicfile"
	"kroo/internal/vfs"
)

// StatePath is where the fit of weights to a file is kept until they are written.
func StatePath(out string) string { return out + ".state" }

// TrialsPath is the same for a choice of ridges.
func TrialsPath(out string) string { return out + ".trials" }

// saved reads what a stopped fit has left, nil if it has left nothing: a gob, and its CRC-32C.
func saved[T any](path string) (*T, error) {
	data, err := vfs.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	v := new(T)
	if body := len(data) - crc32.Size; err == nil {
		if body < 0 || crc32.Checksum(data[:body], castagnoli) != binary.LittleEndian.Uint32(data[body:]) {
			err = errors.New("a saved fit does not have its checksum: it is damaged, or of another version")
		} else {
			err = gob.NewDecoder(bytes.NewReader(data[:body])).Decode(v)
		}
	}
	if err != nil {
		return nil, startAnew(fmt.Errorf("%s: %w", path, err), path)
	}
	return v, nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// keep writes what a later fit continues from.
func keep(path string, v any) error {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		return err
	}
	return atomicfile.WriteBytes(path, binary.LittleEndian.AppendUint32(b.Bytes(), crc32.Checksum(b.Bytes(), castagnoli)))
}

func startAnew(err error, path string) error {
	return fmt.Errorf("%w; delete %s to start over", err, path)
}

func (f *patternFit[P]) removeState() error {
	return cmp.Or(vfs.RemoveIfThere(StatePath(f.Out)), vfs.RemoveIfThere(TrialsPath(f.Out)))
}
