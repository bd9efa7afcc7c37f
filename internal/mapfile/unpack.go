package mapfile

import "github.com/klauspost/compress/zstd"

// Unpack decompresses a Zstandard frame embedded in the program. It panics if the frame is
// damaged.
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
