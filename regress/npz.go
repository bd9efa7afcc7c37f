package regress

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// npz writes a file of NumPy's arrays: a ZIP of members NAME.npy, each of which begins with
// its type and shape (numpy.lib.format, version 1.0).
type npz struct{ *zip.Writer }

// array writes an array of a type that NumPy names and of a shape that Python writes; write
// writes its values, little-endian.
func (n npz) array(name, descr, shape string, write func(w io.Writer) error) error {
	to, err := n.Create(name + ".npy")
	if err != nil {
		return err
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
	const before = 10 // bytes before the head
	for (before+len(head)+1)%64 != 0 {
		head += " "
	}
	begin := append([]byte("\x93NUMPY\x01\x00"), binary.LittleEndian.AppendUint16(nil, uint16(len(head)+1))...)
	if _, err := to.Write(append(begin, head+"\n"...)); err != nil {
		return err
	}
	w := bufio.NewWriterSize(to, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}
