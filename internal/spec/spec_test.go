package spec

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"kroo/internal/testkit"
)

// every has settings of every kind.
type every struct {
	Pairs    int      `name:"pairs" flag:"number,n" default:"100" range:"1..1000000" group:"Games" help:"pairs of games"`
	Nodes    int64    `name:"max_nodes" range:"1.." help:"positions"`
	Any      int      `name:"any" help:"any number"`
	Seed     uint64   `name:"seed" default:"1" file:"-" help:"random seed"`
	Share    float64  `name:"share" range:"0..0.5" help:"a share"`
	Least    *int     `name:"least" range:"0..9" help:"least phase"`
	Strict   bool     `name:"strict" help:"refuse all"`
	Method   string   `name:"method" default:"pps" choices:"pps games" help:"method"`
	From     string   `name:"from" file:"in" help:"a file"`
	Time     Duration `name:"time" help:"time of each"`
	Margin   Duration `name:"margin" default:"50ms" help:"margin"`
	Sets     []string `name:"sets" help:"sets"`
	Sizes    []int    `name:"sizes" default:"64,512" range:"1..9999" help:"sizes"`
	Workers  int      `name:"workers" range:"0..64" made:"-" help:"at a time"`
	Hidden   int      `name:"hidden" flag:"-" range:"0..1" help:"in files alone"`
	Flat     inner    `name:"."`
	embedded          // its settings are settings of every
	Section  inner    `name:"section" help:"a section"`
	Optional *inner   `name:"optional" help:"another"`
	List     []inner  `name:"list" help:"several"`
	Runtime  func()   `json:"-"`
}

type inner struct {
	Depth int `name:"depth" default:"3" range:"1..99" help:"plies"`
}

type embedded struct {
	Width int `name:"width" range:"0..9" help:"leaves"`
}

func same(t *testing.T, got, want *every, label string) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n%+v, want\n%+v", label, got, want)
	}
}

func defaults() *every {
	var e every
	Default(&e)
	return &e
}

// A flag and a file accept the same values and reject others with the same error.
func TestFlagsAndFilesAgree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, flag, file, want string }{
		{"pairs", "--number=40", "40", ""},
		{"pairs", "-n40", "40", ""},
		{"pairs", "--number=0", "0", "expected 1 to 1000000"},
		{"pairs", "--number=x", `"x"`, "expected 1 to 1000000"},
		{"pairs", "--number=1.5", "1.5", "expected 1 to 1000000"},
		{"max_nodes", "--max-nodes=0", "0", "expected 1 or more"},
		{"max_nodes", "--max-nodes=9", "9", ""},
		{"any", "--any=-7", "-7", ""},
		{"any", "--any=10000000000000000", "10000000000000000", "expected a whole number up to 1000000000000000"},
		{"share", "--share=.5", "0.5", ""},
		{"share", "--share=0", "0", ""},
		{"share", "--share=0.51", "0.51", "expected 0 to 0.5"},
		{"share", "--share=NaN", "nan", "expected"},
		{"least", "--least=0", "0", ""},
		{"least", "--least=-1", "-1", "expected 0 to 9"},
		{"strict", "--strict", "true", ""},
		{"strict", "--strict=3", "3", "expected true or false"},
		{"method", "--method=games", `"games"`, ""},
		{"method", "--method=book", `"book"`, "expected pps or games"},
		{"method", "--method=", `""`, "expected pps or games"},
		{"time", "--time=1s", `"1s"`, ""},
		{"time", "--time=0s", `"0s"`, "expected a time above 0, such as 200ms"},
		{"time", "--time=x", `"x"`, "expected a time such as 200ms"},
		{"time", "--time=-1s", `"-1s"`, "expected a time such as 200ms"},
		{"time", "--time=1", "1", "expected a time"},
		{"margin", "--margin=0s", `"0s"`, ""},
		{"sets", "--sets=a,b", `["a", "b"]`, ""},
		{"sizes", "--sizes=8,16", "[8, 16]", ""},
		{"sizes", "--sizes=8,0", "[8, 0]", "expected 1 to 9999"},
		{"sizes", "--sizes=a", `["a"]`, "expected 1 to 9999"},
		{"from", "--from=x.ogn", `"x.ogn"`, ""},
		{"depth", "--depth=4", "4", ""},
		{"depth", "--depth=0", "0", "expected 1 to 99"},
		{"width", "--width=2", "2", ""},
	} {
		byFlag, byFile := defaults(), defaults()
		f := pflag.NewFlagSet("", pflag.ContinueOnError)
		Flags(f, byFlag)
		ferr, terr := f.Parse([]string{c.flag}), Decode(c.name+" = "+c.file, byFile, "")
		if c.want != "" {
			testkit.ErrorContains(t, ferr, c.want)
			testkit.ErrorContains(t, terr, c.want)
			continue
		}
		testkit.NoError(t, ferr)
		testkit.NoError(t, terr)
		testkit.NoError(t, Check(byFlag))
		same(t, byFlag, byFile, c.flag)
	}
}

// JSON would replace the bytes of a name that is not UTF-8, and the changed name may be another file.
func TestTextsAreUTF8(t *testing.T) {
	var v struct {
		File  string   `name:"file"`
		Files []string `name:"files"`
	}
	for _, key := range []string{"file", "files"} {
		testkit.ErrorContains(t, Set(&v, key, "caf\xe9.ogn"), "not UTF-8")
		testkit.NoError(t, Set(&v, key, "café \ufffd.ogn"))
	}
	testkit.Equal(t, v.File, "café \ufffd.ogn", "file")
	testkit.ErrorContains(t, Decode("file = \"caf\xe9.ogn\"\n", &v, "a list"), "UTF-8")
}

func TestFlagsHaveDefaultsGroupsAndChoices(t *testing.T) {
	t.Parallel()
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	e := &every{Pairs: 20}
	Default(e)
	Flags(f, e)
	pairs, method := f.Lookup("number"), f.Lookup("method")
	testkit.Equal(t, pairs.DefValue, "20", "the default is the value")
	testkit.EqualSlices(t, pairs.Annotations[Group], []string{"Games"}, "group")
	testkit.EqualSlices(t, method.Annotations[Choices], []string{"pps", "games"}, "choices")
	testkit.Equal(t, f.Lookup("hidden") == nil, true, "a setting of files alone")
	only := pflag.NewFlagSet("", pflag.ContinueOnError)
	Flags(only, e, "hidden")
	testkit.Equal(t, strings.TrimSpace(only.FlagUsages()), "--hidden int   in files alone", "the one that is named")
}

func TestSections(t *testing.T) {
	t.Parallel()
	e := defaults()
	testkit.NoError(t, Decode("[section]\n[optional]\ndepth = 5\n[[list]]\ndepth = 6\n[[list]]", e, ""))
	testkit.EqualSlices(t, []inner{e.Section, *e.Optional, e.List[0], e.List[1]}, []inner{{3}, {5}, {6}, {3}}, "sections")
	for text, want := range map[string]string{
		"[section]\ndepth = 0":        "section.depth is 0: expected 1 to 99",
		"[[list]]\n[[list]]\ndepth=0": "list 2: depth is 0: expected 1 to 99",
		"[section]\nnone = 0":         `unknown setting "section.none": see there`,
		"seed = 1":                    `unknown setting "seed": see there`,
		"section = 1":                 "section is 1: expected a section",
		"list = 1":                    "list is 1: expected [[list]]",
		"any = inf":                   "any = inf: expected a number",
	} {
		testkit.ErrorContains(t, Decode(text, defaults(), "see there"), want)
	}
}

func TestCheckAcceptsUnsetSettings(t *testing.T) {
	t.Parallel()
	testkit.NoError(t, Check(defaults()))
	e := defaults()
	e.Pairs = 0
	testkit.ErrorContains(t, Check(e), "pairs is 0: expected 1 to 1000000")
	e = defaults()
	e.Share = math.NaN()
	testkit.ErrorContains(t, Check(e), "share is NaN: expected 0 to 0.5")
	e = defaults()
	e.Time.Duration = -1
	testkit.ErrorContains(t, Check(e), "time is \"-1ns\": expected a time above 0")
	e = defaults()
	e.Nodes = -1
	testkit.ErrorContains(t, Check(e), "max_nodes is -1: expected 1 or more")
}

// Decode restores what Encode writes, which lists every setting of files.
func TestDecodeRestoresWhatEncodeWrites(t *testing.T) {
	t.Parallel()
	full := defaults()
	least := 0
	full.Nodes = 7
	full.Least = &least
	full.Sets = []string{"a\"b", "c"}
	full.Optional = &inner{9}
	full.List = []inner{{1}, {2}}
	for _, e := range []*every{defaults(), full} {
		var back every
		text := Encode(e)
		testkit.NoError(t, Decode(text, &back, ""))
		same(t, &back, e, text)
		for _, line := range []string{"pairs ", "#time ", "# positions (1 or more)", "# method (pps or games)", "[section] # a section"} {
			testkit.Contains(t, Encode(defaults()), line)
		}
	}
	testkit.Contains(t, Encode(defaults()), "#[[list]] # several\n#depth = 3 # plies (1 to 99)\n")
}

func TestRecordHasOnlyNonDefaultSettings(t *testing.T) {
	t.Parallel()
	e := defaults()
	testkit.Equal(t, len(Record(e)), 0, "defaults")
	e.Pairs = 5
	e.Workers = 3
	e.Margin = Duration{}
	e.Width = 2
	text := testkit.Must(json.Marshal(Record(e)))(t)
	testkit.Equal(t, string(text), `{"margin":"","pairs":5,"width":2}`, "without the workers")
}

// A whole number is accepted in digits only; another way to write it is answered with its digits.
func TestWholeNumbersAreSuggestedInDigits(t *testing.T) {
	for text, want := range map[string]string{
		"1e4": "did you mean 10000? expected 1 to 1000000", "10_000": "did you mean 10000?", "10,000": "did you mean 10000?",
		"10k": "did you mean 10000?", "1M": "did you mean 1000000?", "1.5": "expected 1 to 1000000", "k": "expected 1 to 1000000",
	} {
		var e every
		err := Set(&e, "pairs", text)
		testkit.ErrorContains(t, err, want)
		if !strings.Contains(want, "did you mean") && strings.Contains(err.Error(), "did you mean") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestSimilarNamesAreSuggested(t *testing.T) {
	var e every
	testkit.ErrorContains(t, Set(&e, "method", "game"), "did you mean games? expected pps or games")
	testkit.ErrorContains(t, Set(&e, "methd", "pps"), "did you mean method?")
	testkit.ErrorContains(t, Decode("methd = 1", &e, "all are listed"), `unknown setting "methd": did you mean method? all are listed`)
}
