package datasets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

const (
	arrowMagic    = 8  // bytes of "ARROW1" with padding
	arrowTrailer  = 10 // bytes: length of the footer, "ARROW1"
	messageHead   = 8  // bytes: a mark and the length of the message's metadata
	continuation  = 0xffffffff
	arrowMagicStr = "ARROW1"
)

// messages hands the messages of an Arrow file to the library's reader. It
// does what the library's own would, but checks each length against the file
// before it allocates.
type messages struct {
	r       io.ReaderAt
	mem     memory.Allocator
	at, end int64 // the next message; the footer
}

func newMessages(r source, mem memory.Allocator) (*messages, error) {
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	var trailer [arrowTrailer]byte
	if size < arrowMagic+arrowTrailer {
		return nil, fmt.Errorf("%d bytes: too short for an arrow file", size)
	}
	if _, err := r.ReadAt(trailer[:], size-arrowTrailer); err != nil {
		return nil, err
	}
	footer := int64(binary.LittleEndian.Uint32(trailer[:]))
	if string(trailer[4:]) != arrowMagicStr || footer > size-arrowMagic-arrowTrailer {
		return nil, errors.New("not an arrow file: it does not end as one")
	}
	return &messages{r: r, mem: mem, at: arrowMagic, end: size - arrowTrailer - footer}, nil
}

// Message returns the next message, or io.EOF at the footer.
func (m *messages) Message() (*ipc.Message, error) {
	if m.at == m.end {
		return nil, io.EOF
	}
	head, err := m.take(messageHead)
	if err != nil {
		return nil, err
	}
	if binary.LittleEndian.Uint32(head) != continuation {
		return nil, fmt.Errorf("no message at offset %d", m.at-messageHead)
	}
	meta, err := m.take(int64(binary.LittleEndian.Uint32(head[4:])))
	if err != nil {
		return nil, err
	}
	if m.at == arrowMagic+messageHead+int64(len(meta)) { // the first message is the schema
		if err := checkArrowSchema(meta); err != nil {
			return nil, err
		}
	}
	none := memory.NewBufferBytes(nil)
	body, err := m.take(ipc.NewMessage(memory.NewBufferBytes(meta), none).BodyLen())
	if err != nil {
		return nil, err
	}
	return ipc.NewMessage(memory.NewBufferBytes(meta), memory.NewBufferBytes(body)), nil
}

func (m *messages) take(n int64) ([]byte, error) {
	if n < 0 || n > m.end-m.at {
		return nil, fmt.Errorf("at offset %d a length of %d: %d bytes are left", m.at, n, m.end-m.at)
	}
	b := make([]byte, n)
	if _, err := m.r.ReadAt(b, m.at); err != nil {
		return nil, err
	}
	m.at += n
	return b, nil
}

// Retain and Release belong to the interface; there is nothing to count.
func (*messages) Retain()  {}
func (*messages) Release() {}
