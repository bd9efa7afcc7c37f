package report

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"
)

// An ink is a colour with a role in a figure. Figures have the colours for white paper.
// The page replaces them by CSS variables, so that one drawing serves light and dark.
type ink struct {
	variable    string // name of the CSS variable, without the dashes
	light, dark string // #RRGGBB
}

// Blue, orange and green are from Okabe and Ito's palette (2008), which people with any
// common kind of colour blindness can distinguish. Shapes or dashes repeat the information.
var (
	paper   = ink{"paper", "#FFFFFF", "#191D22"}
	text    = ink{"ink", "#1F2328", "#E6EAEF"}
	muted   = ink{"muted", "#59636E", "#A3ADB8"}
	grid    = ink{"grid", "#E4E7EB", "#2E353C"}
	axis    = ink{"axis", "#8B949E", "#737D88"}
	blue    = ink{"blue", "#0072B2", "#56B4E9"}
	orange  = ink{"orange", "#D55E00", "#F28C3A"}
	green   = ink{"green", "#009E73", "#3CC79B"}
	purple  = ink{"purple", "#AA4499", "#D98CC9"}
	gold    = ink{"gold", "#B8860B", "#E0B040"}
	sky     = ink{"sky", "#4D6FA8", "#8FA9D6"}
	density = []ink{
		// One hue, evenly spaced in lightness, fading into the paper of either mode.
		{"d0", "#DCEAF6", "#17304A"}, {"d1", "#C3DAEE", "#1C3F63"},
		{"d2", "#A3C8E4", "#22507C"}, {"d3", "#7DB2D8", "#2A6396"},
		{"d4", "#579BCB", "#3678AF"}, {"d5", "#3A83BD", "#4A8FC5"},
		{"d6", "#256AAB", "#68A7D7"}, {"d7", "#155294", "#8DC0E6"},
		{"d8", "#0B3C7C", "#B5D8F2"}, {"d9", "#08285A", "#E0F0FC"},
	}
	// The other hue of a scale with two ends.
	warm = []ink{
		{"w0", "#FBE3D0", "#3D2615"}, {"w1", "#F5BE93", "#6B3A14"}, {"w2", "#E08A45", "#9C5216"},
		{"w3", "#BF5208", "#D8823C"}, {"w4", "#853700", "#F7C79A"},
	}
	inks = append(append([]ink{paper, text, muted, grid, axis, blue, orange, green, purple, gold, sky}, density...), warm...)
)

// RGBA makes an ink a colour for drawing, the one for light paper.
func (i ink) RGBA() (r, g, b, a uint32) {
	v, _ := strconv.ParseUint(i.light[1:], 16, 32) // a test parses every entry above
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}.RGBA()
}

// themed makes a drawing part of a page: its colours become the page's variables, and its name
// spaces are the page's.
var themed = func() *strings.Replacer {
	pairs := []string{`xmlns="http://www.w3.org/2000/svg"`, "", `xmlns:xlink="http://www.w3.org/1999/xlink"`, ""}
	for _, i := range inks {
		pairs = append(pairs, ":"+i.light, ":var(--"+i.variable+")")
	}
	return strings.NewReplacer(pairs...)
}()

// variables gives the CSS declarations of one mode.
func variables(dark bool) string {
	var b strings.Builder
	for _, i := range inks {
		value := i.light
		if dark {
			value = i.dark
		}
		fmt.Fprintf(&b, "--%s:%s;", i.variable, value)
	}
	return b.String()
}
