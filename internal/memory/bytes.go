package memory

import "unsafe"

// Number is an element of the arrays that are kept as bytes.
type Number interface {
	uint32 | uint64 | float32 | float64
}

// Bytes returns the memory of numbers as bytes, in the machine's byte order.
func Bytes[T Number](numbers []T) []byte {
	var number T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(numbers))), len(numbers)*int(unsafe.Sizeof(number)))
}

// Numbers returns memory as n numbers: the inverse of [Bytes]. The memory must be aligned for T.
func Numbers[T Number](memory []byte, n int) []T {
	var number T
	if len(memory) < n*int(unsafe.Sizeof(number)) {
		panic("memory: fewer bytes than the numbers need")
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(memory))), n)
}
