package regress

// number is the element type of vectors that are read: float32 for directions, which halves cache
// misses, float64 where sums must be exact.
type number interface{ float32 | float64 }

// gather sets z to the part of each row's product with the vector p that comes from its cold
// columns and its values. hotSum computes the rest.
func gather[T number](c *chunk, p []T, z *[maxChunk]T) {
	clear(z[:c.rows])
	from := uint32(0)
	for i, to := range c.part {
		part := (*[partSize]T)(p[(i+1)<<partBits:])
		for _, e := range c.cold[from:to] {
			z[e&0xffff] += part[e>>partBits]
		}
		from = to
	}
	from = 0
	for r, to := range c.vend {
		for k := from; k < to; k++ {
			z[r] += T(c.val[k]) * p[c.col[k]]
		}
		from = to
	}
}

// hotSum sums the coefficients of a row's hot columns.
func hotSum[T number](p *[partSize]T, words []uint64) T {
	var a, b, c, d T
	for _, w := range words {
		a += p[uint16(w)]
		b += p[uint16(w>>16)]
		c += p[uint16(w>>32)]
		d += p[w>>48]
	}
	return (a + b) + (c + d)
}

// hotAdd adds r to a row's hot columns.
func hotAdd(acc *[partSize]float64, words []uint64, r float64) {
	for _, w := range words {
		acc[uint16(w)] += r
		acc[uint16(w>>16)] += r
		acc[uint16(w>>32)] += r
		acc[w>>48] += r
	}
}

// scatter adds each row's z to acc in the row's cold columns, and z times the value in the columns
// of its values (the value squared, if square).
func scatter[T number](c *chunk, z *[maxChunk]T, acc []float64, square bool) {
	from := uint32(0)
	for i, to := range c.part {
		part := (*[partSize]float64)(acc[(i+1)<<partBits:])
		for _, e := range c.cold[from:to] {
			part[e>>partBits] += float64(z[e&0xffff])
		}
		from = to
	}
	from = 0
	for r, to := range c.vend {
		for k := from; k < to; k++ {
			v := float64(c.val[k])
			if square {
				v *= v
			}
			acc[c.col[k]] += v * float64(z[r])
		}
		from = to
	}
}

// product adds Aᵀ diag(h) A p to acc, where A is the chunk's rows. h covers all rows of the matrix;
// z is scratch.
func product(c *chunk, p []float32, h []float32, z *[maxChunk]float32, acc []float64) {
	gather(c, p, z)
	hot, hotAcc := (*[partSize]float32)(p), (*[partSize]float64)(acc)
	from := uint32(0)
	h = h[c.first:][:c.rows]
	for r, to := range c.end {
		words := c.hot[from:to]
		v := h[r] * (z[r] + hotSum(hot, words))
		z[r] = v
		hotAdd(hotAcc, words, float64(v))
		from = to
	}
	scatter(c, z, acc, false)
}

// slopes computes each row's product with w, passes it to f with the row's number, and adds Aᵀ
// times the results of f to acc unless acc is nil.
func slopes(c *chunk, w []float64, z *[maxChunk]float64, acc []float64, f func(row int, product float64) float64) {
	gather(c, w, z)
	hot := (*[partSize]float64)(w)
	from := uint32(0)
	for r, to := range c.end {
		words := c.hot[from:to]
		z[r] = f(c.first+r, z[r]+hotSum(hot, words))
		if acc != nil {
			hotAdd((*[partSize]float64)(acc), words, z[r])
		}
		from = to
	}
	if acc != nil {
		scatter(c, z, acc, false)
	}
}

// diagonal adds the diagonal of Aᵀ diag(h) A to acc, where A is the chunk's rows.
func diagonal(c *chunk, h []float32, z *[maxChunk]float32, acc []float64) {
	copy(z[:c.rows], h[c.first:][:c.rows])
	from := uint32(0)
	for r, to := range c.end {
		hotAdd((*[partSize]float64)(acc), c.hot[from:to], float64(z[r]))
		from = to
	}
	scatter(c, z, acc, true)
}
