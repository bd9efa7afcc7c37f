package memory

import "unsafe"

// Bytes returns the memory of numbers as bytes, in the machine's byte order.
func Bytes[T uint32 | uint64 | float32 | float64](numbers []T) []byte {
	var number T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(numbers))), len(numbers)*int(unsafe.Sizeof(number)))
}
