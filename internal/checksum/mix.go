package checksum

// Mix returns a 64-bit hash for uses that need no secret but the same value on every machine:
// splits of rows, fingerprints of data. It is one step of the generator splitmix64 (Steele, Lea
// and Flood, *Fast splittable pseudorandom number generators*, 2014): a bijection of 64 bits in
// which every bit of h changes about half of the bits of the result.
func Mix(h uint64) uint64 {
	h += 0x9e37_79b9_7f4a_7c15
	h = (h ^ h>>30) * 0xbf58_476d_1ce4_e5b9
	h = (h ^ h>>27) * 0x94d0_49bb_1331_11eb
	return h ^ h>>31
}
