package mapfile

import "github.com/klauspost/compress/zstd"

// Unpack unpacks a Zstandard frame that comes with the program. It is for embedded files alone: it panics if one is damaged.
func Unpack(frame []byte) []byte {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic(err) // the options are valid
	}
	defer r.Close()
	data, err := r.DecodeAll(frame, nil)
	if err != nil {
		panic(err)
	}
	return data
}
