package serve

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"sync"

	patterns "kroo/features/oware"
)

// heat are the colours of a heat map: the middle one is that of nothing, and lets the page
// shine through, so that a map fits light and dark pages.
var heat = sync.OnceValue(func() color.Palette {
	p := make(color.Palette, 2*heatSteps+1)
	for i := range p {
		p[i] = color.NRGBA{0x1d, 0xa0, 0x78, opacity(i - heatSteps)}
		if i < heatSteps {
			p[i] = color.NRGBA{0xe2, 0x6a, 0x10, opacity(heatSteps - i)}
		}
	}
	return p
})

// heatSteps are the colours on each side of the middle.
const heatSteps = 127

func opacity(step int) uint8 { return uint8(255 * step / heatSteps) }

// heatMap draws the points of a table as a picture. Its strongest colour is that of the
// largest number; others get more of theirs than is their share, so that they can be seen.
func heatMap(points []float64) ([]byte, error) {
	most := 0.0
	for _, p := range points {
		most = max(most, math.Abs(p))
	}
	m := image.NewPaletted(image.Rect(0, 0, patterns.TableSide, patterns.TableSide), heat())
	for i, p := range points {
		step := 0.0
		if most > 0 {
			step = math.Copysign(heatSteps*math.Sqrt(math.Abs(p)/most), p)
		}
		m.Pix[i] = uint8(heatSteps + int(math.Round(step)))
	}
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, m)
	return b.Bytes(), err
}
