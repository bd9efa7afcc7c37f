package serve

import (
	"encoding/json"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kroo/endgame"
	"kroo/engine/analysis"
	"kroo/internal/testkit"
)

// jsonNames adds the JSON names of a type's fields.
func jsonNames(names map[string]bool, t reflect.Type) {
	if _, own := reflect.Zero(t).Interface().(json.Marshaler); own {
		var value map[string]json.RawMessage
		if data, err := json.Marshal(reflect.Zero(t).Interface()); err == nil && json.Unmarshal(data, &value) == nil {
			for name := range value {
				names[name] = true
			}
		}
		return
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "" && f.Anonymous:
			jsonNames(names, f.Type)
		case name != "" && name != "-":
			names[name] = true
		}
	}
}

// script returns the text of a script.
func script(t *testing.T, name string) string {
	t.Helper()
	data := testkit.Must(web.ReadFile("web/" + name + ".js"))(t)
	return string(data)
}

// functionOf returns the text of a function in a script.
func functionOf(t *testing.T, text, name string) string {
	t.Helper()
	if _, body, found := strings.Cut(text, "function "+name+"("); found {
		body, _, _ = strings.Cut(body, "\n}\n")
		return body
	}
	if _, body, found := strings.Cut(text, "const "+name+" = "); found {
		body, _, _ = strings.Cut(body, ";\n")
		return body
	}
	t.Fatalf("no function %s", name)
	return ""
}

// The fields that scripts read exist in the JSON of the value's type.
func TestScriptsReadWhatTheServerSends(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		script, function, variable string
		types                      []any
	}{
		{"board", "query", "state", []any{state{}}},
		{"board", "shot", "state", []any{state{}}},
		{"board", "statusText", "state", []any{state{}}},
		{"board", "statusText", "last", []any{ply{}}},
		{"board", "demonstrate", "game", []any{state{}}},
		{"board", "demonstrate", "m", []any{ply{}}},
		{"board", "hint", "h", []any{hint{}}},
		{"board", "reply", "t", []any{thought{}}},
		{"board", "startReview", "p", []any{reviewed{}}},
		{"board", "startReview", "r", []any{reviewed{}}},
		{"board", "summary", "s", []any{analysis.Side{}}},
		{"talk", "worth", "m", []any{analysis.Move{}}},
		{"board", "drawVerdict", "m", []any{analysis.Move{}}},
		{"board", "analyseAgain", "i", []any{insight{}}},
		{"board", "analyseAgain", "l", []any{bestOne{}}},
		{"lines", "worthOf", "l", []any{bestOne{}}},
		{"lines", "bestLines", "l", []any{bestOne{}, struct {
			Game int `json:"game"` // which the script adds
		}{}}},
		{"charts", "deepening", "l", []any{bestOne{}}},
		{"board", "showKnown", "k", []any{known{}}},
		{"board", "showKnown", "t", []any{endgame.Answer{}}},
		{"board", "showKnown", "m", []any{endgame.AnswerMove{}, bookMove{}}},
		{"board", "load", "g", []any{imported{}}},
		{"draw", "sow", "move", []any{ply{}}},
		{"learn", "lost", "m", []any{analysis.Move{}}},
		{"learn", "refuted", "m", []any{analysis.Move{}}},
		{"runs", "draw", "s", []any{runState{}}},
	} {
		names := map[string]bool{}
		for _, v := range c.types {
			jsonNames(names, reflect.TypeOf(v))
		}
		read := regexp.MustCompile(`(?:^|[^\w.$"])`+c.variable+`\??\.(\w+)`).FindAllStringSubmatch(functionOf(t, script(t, c.script), c.function), -1)
		if len(read) == 0 {
			t.Errorf("%s.js: %s reads nothing of %s", c.script, c.function, c.variable)
		}
		for _, m := range read {
			if !names[m[1]] {
				t.Errorf("%s.js: %s reads %s.%s: a %T has no such name", c.script, c.function, c.variable, m[1], c.types[0])
			}
		}
	}
}

// The words in comparisons of scripts are words that the server sends.
func TestScriptsKnowTheWordsOfTheServer(t *testing.T) {
	t.Parallel()
	marks := []string{string(analysis.Inaccuracy), string(analysis.Mistake), string(analysis.Blunder)}
	for _, c := range []struct {
		script, compared string
		words            []string
	}{
		{"board", `\bm\??\.mark`, marks},
		{"charts", `\bm\.side`, kit.Game.Sides[:]},
		{"learn", `\btried\.mark`, marks},
	} {
		found := regexp.MustCompile(c.compared+` === "([^"]*)"`).FindAllStringSubmatch(script(t, c.script), -1)
		if len(found) == 0 {
			t.Errorf("%s.js compares %s with nothing", c.script, c.compared)
		}
		for _, m := range found {
			if !slices.Contains(c.words, m[1]) {
				t.Errorf("%s.js expects %s: the server sends one of %q", c.script, m[0], c.words)
			}
		}
	}
	signs := regexp.MustCompile(`(?m)^export const grades = \{(.*)\};$`).FindStringSubmatch(script(t, "charts"))
	for _, mark := range marks {
		if signs == nil || !strings.Contains(signs[1], mark+": ") {
			t.Errorf("charts.js has no sign for a move that is %q: %v", mark, signs)
		}
	}
}

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
