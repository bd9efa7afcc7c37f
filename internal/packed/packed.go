// Package packed unpacks what comes with the program.
package packed

import "github.com/klauspost/compress/zstd"

// Open unpacks a Zstandard frame. It is for embedded files alone: it panics if one is damaged.
func Open(frame []byte) []byte {
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
