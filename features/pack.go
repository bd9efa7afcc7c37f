package features

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
)

// window is the maximum distance that a frame refers back, and so a reader's memory. Frames that
// need more are refused.
const window = 1 << 20

// pack compresses. The level gives small frames, which are also the fastest to unpack.
func pack(section []byte) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(window),
		zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false)) // the file has a checksum
	if err != nil {
		panic(err) // the options are valid
	}
	return w.EncodeAll(section, nil)
}

// whole unpacks frames into buffers of the right size. All goroutines share it.
var frameDecoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err) // the options are valid
	}
	return d
})

// UnpackTo reads a section into b, which must have the section's length. It is the fastest way.
func (f Packed) UnpackTo(b []byte, section int) error {
	if f.version == olderVersion {
		return f.streamTo(b, section)
	}
	got, err := frameDecoder().DecodeAll(f.packed[section], b[:0:len(b)])
	if err != nil {
		return fmt.Errorf("section %d: %w: expected %d bytes", section, err, len(b))
	}
	if len(got) != len(b) {
		return fmt.Errorf("section %d: expected %d bytes", section, len(b))
	}
	return nil
}

// streamTo reads a section of a version 1 file into b.
func (f Packed) streamTo(b []byte, section int) error {
	r := f.Reader(section)
	defer r.Close()
	_, err := io.ReadFull(r, b)
	if err == nil {
		if _, err = io.ReadFull(r, make([]byte, 1)); err == io.EOF {
			return nil
		}
	}
	if err == nil || err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("section %d: expected %d bytes", section, len(b))
	}
	return fmt.Errorf("section %d: %w", section, err)
}

// firstBuffer is the number of bytes that Unpack allocates at first.
const firstBuffer = 1 << 19

// Unpack reads a section of n bytes. The buffer starts small and grows, so that a short file with a
// large n allocates little.
func (f Packed) Unpack(section, n int) ([]byte, error) {
	r := f.Reader(section)
	defer r.Close()
	b := bytes.NewBuffer(make([]byte, 0, min(n, firstBuffer)+bytes.MinRead))
	if _, err := b.ReadFrom(io.LimitReader(r, int64(n)+1)); err != nil {
		return nil, fmt.Errorf("section %d: %w", section, err)
	}
	if b.Len() != n {
		return nil, fmt.Errorf("section %d: expected %d bytes", section, n)
	}
	return b.Bytes(), nil
}

// Reader unpacks a section as it is read. The caller closes it.
func (f Packed) Reader(section int) io.ReadCloser {
	packed := bytes.NewReader(f.packed[section])
	if f.version == olderVersion {
		return flate.NewReader(packed)
	}
	r, err := zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(window), zstd.WithDecodeBuffersBelow(0))
	if err != nil {
		return errReader{err}
	}
	return r.IOReadCloser()
}

// errReader is a section that cannot be opened.
type errReader struct{ err error }

func (u errReader) Read([]byte) (int, error) { return 0, u.err }
func (errReader) Close() error               { return nil }
