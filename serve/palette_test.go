package serve

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// rgb is a colour in linear light, 0 to 1.
type rgb [3]float64

// palettes returns the named colours of style.css, for the light and the dark theme.
func palettes(t *testing.T) map[string]map[string]rgb {
	t.Helper()
	css := string(testkit.Must(web.ReadFile("web/style.css"))(t))
	blocks := regexp.MustCompile(`:root\{([^}]*)\}`).FindAllStringSubmatch(css, -1)
	if len(blocks) != 2 {
		t.Fatalf("style.css has %d blocks :root: expected one for light and one for dark", len(blocks))
	}
	light, dark := map[string]rgb{}, map[string]rgb{}
	for i, block := range blocks {
		for _, m := range regexp.MustCompile(`--([\w-]+):#([0-9a-f]+)`).FindAllStringSubmatch(block[1], -1) {
			c := linear(t, m[2])
			dark[m[1]] = c
			if i == 0 {
				light[m[1]] = c
			}
		}
	}
	return map[string]map[string]rgb{"light": light, "dark": dark}
}

// linear reads three or six hexadecimal digits of sRGB.
func linear(t *testing.T, hex string) (c rgb) {
	t.Helper()
	if len(hex) == 3 {
		hex = strings.Join([]string{hex[:1], hex[:1], hex[1:2], hex[1:2], hex[2:], hex[2:]}, "")
	}
	for i := range c {
		n := testkit.Must(strconv.ParseUint(hex[2*i:2*i+2], 16, 8))(t)
		if c[i] = float64(n) / 255; c[i] <= 0.04045 {
			c[i] /= 12.92
		} else {
			c[i] = math.Pow((c[i]+0.055)/1.055, 2.4)
		}
	}
	return c
}

// Red-green blindness of full severity: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A
// Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE Transactions on
// Visualization and Computer Graphics 15 (2009), for linear light.
var blindness = map[string][3]rgb{
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"full sight":   {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
}

// seen simulates colour blindness.
func (c rgb) seen(with [3]rgb) (s rgb) {
	for i, row := range with {
		s[i] = min(1, max(0, row[0]*c[0]+row[1]*c[1]+row[2]*c[2]))
	}
	return s
}

// luminance returns the relative luminance of WCAG.
func (c rgb) luminance() float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

// contrast returns the contrast ratio of WCAG, 1 to 21.
func contrast(a, b rgb) float64 {
	x, y := a.luminance()+0.05, b.luminance()+0.05
	return max(x, y) / min(x, y)
}

// lab converts to CIE L*a*b*, illuminant D65.
func (c rgb) lab() rgb {
	f := func(v float64) float64 {
		if v > 216.0/24389 {
			return math.Cbrt(v)
		}
		return (24389.0/27*v + 16) / 116
	}
	x := f((0.4124*c[0] + 0.3576*c[1] + 0.1805*c[2]) / 0.9505)
	y := f(c.luminance())
	z := f((0.0193*c[0] + 0.1192*c[1] + 0.9505*c[2]) / 1.089)
	return rgb{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// distance returns the CIE76 colour difference; 2.3 is just noticeable.
func distance(a, b rgb) float64 {
	p, q := a.lab(), b.lab()
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

// Text has a contrast of 4.5 with its background, and marks have 3, as WCAG AA requires.
func TestThePaletteHasContrast(t *testing.T) {
	t.Parallel()
	for theme, colours := range palettes(t) {
		for _, c := range []struct {
			least    float64
			fore, on string
		}{
			{4.5, "ink muted blue orange red", "paper card press"},
			{4.5, "red", "warn"},
			{4.5, "paper", "blue"},
			{4.5, "cream", "wood hole best"},
			{3, "inaccuracy mistake blunder blue", "paper card press"},
			{3, "axis", "paper card"},
			{3, "playable hinted", "wood hole"},
			{3, "seed", "wood hole"},
		} {
			for _, fore := range strings.Fields(c.fore) {
				for _, on := range strings.Fields(c.on) {
					a, ok := colours[fore]
					b, is := colours[on]
					if !ok || !is {
						t.Fatalf("%s theme: style.css has no --%s or --%s", theme, fore, on)
					}
					if got := contrast(a, b); got < c.least {
						t.Errorf("%s theme: --%s on --%s has a contrast of %.2f: expected %.1f", theme, fore, on, got, c.least)
					}
				}
			}
		}
	}
}

// Colours that distinguish things are also distinct with red-green blindness.
func TestThePaletteSuitsColourBlindness(t *testing.T) {
	t.Parallel()
	for theme, colours := range palettes(t) {
		for name, eyes := range blindness {
			for _, group := range []string{"inaccuracy mistake blunder blue", "win draw loss", "blue orange", "best hole", "playable hinted wood"} {
				names := strings.Fields(group)
				for i, a := range names {
					for _, b := range names[:i] {
						if got := distance(colours[a].seen(eyes), colours[b].seen(eyes)); got < 20 {
							t.Errorf("%s theme, %s: --%s and --%s are %.1f apart: expected 20", theme, name, a, b, got)
						}
					}
				}
			}
		}
	}
}

// Every colour variable in the style sheet is defined.
func TestColoursAreDefined(t *testing.T) {
	t.Parallel()
	css := string(testkit.Must(web.ReadFile("web/style.css"))(t))
	colours := palettes(t)["light"]
	for _, m := range regexp.MustCompile(`var\(--([\w-]+)\)`).FindAllStringSubmatch(css, -1) {
		if _, ok := colours[m[1]]; !ok && m[1] != "share" {
			t.Errorf("style.css uses --%s, which the palette does not have", m[1])
		}
	}
}
