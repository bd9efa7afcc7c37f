package brotli

// prefixCodeRange and what follows stand in the encoder's files of the library.
type prefixCodeRange struct {
	offset uint32
	nbits  uint32
}

var kBlockLengthPrefixCode = [numBlockLenSymbols]prefixCodeRange{
	{1, 2},
	{5, 2},
	{9, 2},
	{13, 2},
	{17, 3},
	{25, 3},
	{33, 3},
	{41, 3},
	{49, 4},
	{65, 4},
	{81, 4},
	{97, 4},
	{113, 5},
	{145, 5},
	{177, 5},
	{209, 5},
	{241, 6},
	{305, 6},
	{369, 7},
	{497, 8},
	{753, 9},
	{1265, 10},
	{2289, 11},
	{4337, 12},
	{8433, 13},
	{16625, 24},
}
