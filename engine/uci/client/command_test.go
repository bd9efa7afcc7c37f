package client

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// A program is identified by its executable and by the files that its arguments and options name: an
// interpreter's script, weights.
func TestChecksumDistinguishesPrograms(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"bot.sh": "exit", "net": "1", "same.sh": "exit"} {
		testkit.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	sum := func(c Command) string {
		t.Helper()
		c.Path, c.Dir = "sh", dir
		i := testkit.Must(c.Identity())(t)
		return i.String()
	}
	seen := map[string]bool{}
	for _, c := range []Command{
		{},
		{Args: []string{"bot.sh"}},
		{Args: []string{"bot.sh", "--net=net"}},
		{Args: []string{"bot.sh"}, Options: []Option{{"Net", filepath.Join(dir, "net")}}},
	} {
		if s := sum(c); seen[s] || len(s) < 64 {
			t.Errorf("%v: %q is that of another", c, s)
		} else {
			seen[s] = true
		}
	}
	if text := sum(Command{Args: []string{"-x", "no-file", "."}}); !strings.HasPrefix(text, `["sh"] ["-x" "no-file" "."], `) {
		t.Errorf("%s: a word that names no file is kept", text)
	}
	before := sum(Command{Args: []string{"bot.sh"}})
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "bot.sh"), []byte("exit 1"), 0o600))
	if sum(Command{Args: []string{"bot.sh"}}) == before {
		t.Error("a changed script has the same checksum")
	}
	if _, err := (Command{Path: "./no-such-program"}).Identity(); err == nil {
		t.Error("a program that is not there has a checksum")
	}
}

// A program that has moved is the same, and so are its script and its weights: their paths are
// recorded alone. What it is given otherwise distinguishes it.
func TestAProgramThatMovedIsTheSame(t *testing.T) {
	t.Parallel()
	identity := func(c Command) Identity {
		t.Helper()
		return testkit.Must(c.Identity())(t)
	}
	at := func(dir string) Command {
		for _, name := range []string{"bot", "net"} {
			testkit.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n# "+name), 0o700))
		}
		net := filepath.Join(dir, "net")
		return Command{Path: filepath.Join(dir, "bot"), Args: []string{"-v", "--net=" + net}, Options: []Option{{"EvalFile", net}, {"Hash", "16"}}}
	}
	first, second := at(t.TempDir()), at(t.TempDir())
	a, b := identity(first), identity(second)
	if a.Recorded == b.Recorded || !strings.Contains(a.Recorded, first.Path) {
		t.Errorf("%q and %q: want the commands as given", a.Recorded, b.Recorded)
	}
	a.Recorded, b.Recorded = "", ""
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%+v and %+v: want the same", a, b)
	}
	for name, change := range map[string]func(*Command){
		"an argument":      func(c *Command) { c.Args = append(slices.Clone(c.Args), "-x") },
		"an option":        func(c *Command) { c.Options = []Option{{"Hash", "32"}} },
		"the folder":       func(c *Command) { c.Dir = "/" },
		"the unit":         func(c *Command) { c.Unit = 50 },
		"the protocol":     func(c *Command) { c.Protocol = CG },
		"the longest wait": func(c *Command) { c.Hang = time.Second },
	} {
		c := second
		change(&c)
		if i := identity(c); reflect.DeepEqual(b, func() Identity { i.Recorded = ""; return i }()) {
			t.Errorf("%s changes nothing: %+v", name, i)
		}
	}
}

// A program that starts another is identified by both, and by the environment that it sets.
func TestWrappedProgramIsIdentified(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for name, text := range map[string]string{"env": "1", "bot": "2"} {
		testkit.NoError(t, os.WriteFile(filepath.Join(os.Getenv("PATH"), name), []byte(text), 0o700))
	}
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte("2")))
	i, err := Command{Path: "env", Args: []string{"X=1", "bot", "uci"}, Options: []Option{{"Book", "bot"}}}.Identity()
	if err != nil || !slices.Equal(i.Arguments, []string{"X=1", sum, "uci"}) || !slices.Equal(i.Options, []string{"Book=bot"}) {
		t.Errorf("%+v, %v: want the checksum %s of bot", i, err, sum)
	}
}

// A program that is built again is noticed behind a script, however the script names it, and in a script
// that another one names. What a script writes does not count.
func TestAProgramBehindAScriptIsIdentified(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("ENGINES", os.Getenv("PATH"))
	bin := os.Getenv("PATH")
	write := func(path, text string, mode os.FileMode) {
		t.Helper()
		testkit.NoError(t, os.WriteFile(path, []byte(text), mode))
	}
	write(filepath.Join(bin, "sh"), "\x00", 0o700)
	for name, script := range map[string]string{
		"its folder":          "#!/bin/sh\ncd \"$(dirname \"$0\")\" || exit\nexec ./bot \"$@\"\n",
		"a substitution":      "#!/bin/sh\n\"$(dirname \"$0\")/bot\" 2>bot.log\n",
		"a folder":            "#!/bin/sh\nHERE=BIN\n$HERE/bot | tee bot.log\n",
		"a path":              "#!/bin/sh\nexec nice BIN/bot\n",
		"the command path":    "#!/bin/sh\nexec nice -n 5 bot\n",
		"an own variable":     "#!/bin/sh\n${ENGINES}/bot\n",
		"another language":    "#!/usr/bin/env python3\nimport subprocess\nsubprocess.call(['BIN/bot'])\n",
		"another script":      "#!/bin/sh\n. ./second\n",
		"no first line of it": "bot\n",
	} {
		write(filepath.Join(bin, "second"), "#!/bin/sh\nbot\n", 0o700)
		write(filepath.Join(bin, "wrap"), strings.ReplaceAll(script, "BIN", bin), 0o700)
		for how, c := range map[string]Command{
			"as a path":      {Path: filepath.Join(bin, "wrap")},
			"as an argument": {Path: "sh", Args: []string{filepath.Join(bin, "wrap")}},
			"after -c":       {Path: "sh", Args: []string{"-c", "exec " + filepath.Join(bin, "wrap")}},
		} {
			sum := func() string {
				t.Helper()
				i := testkit.Must(c.Identity())(t)
				return i.WithAnnouncement("Bot", nil).String()
			}
			write(filepath.Join(bin, "bot"), "\x00 1", 0o700)
			write(filepath.Join(bin, "bot.log"), "1", 0o600)
			before := sum()
			write(filepath.Join(bin, "bot.log"), "12", 0o600)
			testkit.Equal(t, sum(), before, "%s, %s: identity after another log", name, how)
			write(filepath.Join(bin, "bot"), "\x00 22", 0o700)
			if sum() == before {
				t.Errorf("%s, %s: a changed program is not noticed: %s", name, how, before)
			}
		}
	}
}

// What a program announces counts only if a script may hide it.
func TestWhatAProgramAnnouncesIdentifiesIt(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"plain": "\x7fELF\x00", "script": "#!/bin/sh\nssh far engine\n"} {
		testkit.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700))
		i := testkit.Must(Command{Path: filepath.Join(dir, name)}.Identity())(t)
		seen := map[string]bool{}
		for _, said := range []Identity{
			i.WithAnnouncement("Bot 1", nil),
			i.WithAnnouncement("Bot 2", nil),
			i.WithAnnouncement("Bot 1", []Spec{{Name: "Net", Kind: "string", Default: "1.nn"}}),
			i.WithAnnouncement("Bot 1", []Spec{{Name: "Net", Kind: "string", Default: "2.nn"}}),
			i.WithAnnouncement("Bot 1", []Spec{{Name: "Net", Kind: "string", Default: "2.nn", Max: 9}}),
		} {
			seen[said.String()] = true
		}
		testkit.Equal(t, len(seen), map[string]int{"plain": 1, "script": 4}[name], "%s: identities", name)
	}
}

// The attributes of an option may come in any order, and be several words.
func TestOptionsAreReadInAnyOrder(t *testing.T) {
	for text, want := range map[string]Spec{
		"Style type combo var Very Solid var Bold default Very Solid": {Name: "Style", Kind: "combo", Default: "Very Solid", Values: "Very Solid\tBold"},
		"Move Overhead type spin max 9 min 1 default 2":               {Name: "Move Overhead", Kind: "spin", Default: "2", Min: 1, Max: 9},
		"Book type string default":                                    {Name: "Book", Kind: "string"},
		"X type":                                                      {Name: "X type"},
		"":                                                            {},
	} {
		testkit.Equal(t, parseSpec(text), want, "%q", text)
	}
}

// A search far from its limit is one that the program does not obey, if it is no exception.
func TestLimitsThatAProgramDoesNotObey(t *testing.T) {
	nodes, depth, movetime := Limits{Nodes: 2000}, Limits{Depth: 12}, Limits{MoveTime: time.Second}
	book := Answer{Result: search.Result{Best: 3}}
	for name, tt := range map[string]struct {
		limits  Limits
		answers []Answer // asked again and again
		n       int
		want    string
	}{
		"obeyed":                    {nodes, []Answer{{Result: search.Result{Depth: 7, Nodes: 2002}}}, 20, ""},
		"looks now and then":        {nodes, []Answer{{Result: search.Result{Depth: 7, Nodes: 4000}}}, 20, ""},
		"over":                      {nodes, []Answer{{Result: search.Result{Depth: 12, Nodes: 2_600_000}}}, 3, "asked for 2000 nodes, it visits 2600000"},
		"over, once":                {nodes, []Answer{{Result: search.Result{Depth: 12, Nodes: 2_600_000}}}, 2, ""},
		"over, now and then":        {nodes, []Answer{{Result: search.Result{Depth: 9, Nodes: 9000}}, {Result: search.Result{Depth: 7, Nodes: 2000}}}, 40, ""},
		"the first iteration":       {Limits{Nodes: 1}, []Answer{{Result: search.Result{Depth: 1, Nodes: 37}}}, 20, ""},
		"short":                     {nodes, []Answer{{Result: search.Result{Depth: 1, Nodes: 6}, Scored: true}}, 10, "asked for 2000 nodes, it moves after 6"},
		"short, a few times":        {nodes, []Answer{{Result: search.Result{Depth: 1, Nodes: 6}, Scored: true}}, 9, ""},
		"short, of a mate":          {nodes, []Answer{{Result: search.Result{Depth: 1, Nodes: 6, Score: search.MaxHeuristic + 3}, Scored: true}}, 20, ""},
		"short of one of two":       {Limits{Nodes: 2000, Depth: 1}, []Answer{{Result: search.Result{Depth: 1, Nodes: 6}}}, 20, ""},
		"no nodes":                  {nodes, []Answer{{Result: search.Result{Depth: 9}, Scored: true}}, 3, "asked for 2000 nodes, it reports none, so nothing shows that it obeys"},
		"no nodes, moves of a book": {nodes, []Answer{book}, 20, ""},
		"too deep":                  {depth, []Answer{{Result: search.Result{Depth: 13}}}, 3, "asked for depth 12, it searches to depth 13"},
		"not deep":                  {depth, []Answer{{Result: search.Result{Depth: 1}}}, 10, "asked for depth 12, it moves after depth 1"},
		"slow":                      {movetime, []Answer{{Result: search.Result{Depth: 9, Time: 3600 * time.Millisecond}}}, 3, "asked for 1s, it takes 3.6s"},
		"a busy machine":            {movetime, []Answer{{Result: search.Result{Depth: 9, Time: 1100 * time.Millisecond}}}, 20, ""},
		"quick":                     {movetime, []Answer{{Result: search.Result{Depth: 9, Time: 20 * time.Millisecond}}}, 10, "asked for 1s, it moves after 20ms"},
		"a clock":                   {Limits{Clock: &Clock{}}, []Answer{{Result: search.Result{Depth: 1, Nodes: 6, Time: time.Hour}}}, 20, ""},
	} {
		var tally LimitTally
		for i := range tt.n {
			tally.Add(tt.limits, tt.answers[i%len(tt.answers)])
		}
		testkit.Equal(t, tally.Violation(), tt.want, "%s", name)
	}
}

// The user is warned once for all processes of a program, with the remedy.
func TestAProgramIsWarnedOfOnce(t *testing.T) {
	t.Parallel()
	var warnings []string
	watch := &LimitWatch{Warn: func(text string) { warnings = append(warnings, text) }}
	for range 2 {
		c := fakeCommand("none")
		c.Watch = watch
		p := start(t, c)
		for range 3 {
			if _, err := p.Search(t.Context(), newGame(), Limits{Nodes: 1000}, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	endless := fakeCommand("late")
	endless.Hang, endless.Watch = 10*time.Millisecond, &LimitWatch{Warn: watch.Warn}
	_, err := start(t, endless).Search(t.Context(), newGame(), Limits{Nodes: 1000}, nil)
	testkit.ErrorContains(t, err, "asked for 1000 nodes, it searches until it is stopped; use --depth or --movetime")
	const say = ". Files record the limit nevertheless: use --depth or --movetime instead (train engine check shows which limits it obeys)."
	if want := []string{"WARNING: Fake 1: asked for 1000 nodes, it visits 4567" + say, "WARNING: Fake 1: asked for 1000 nodes, it searches until it is stopped" + say}; !slices.Equal(warnings, want) {
		t.Errorf("warned %q, want %q", warnings, want)
	}
}

// arenaGame is a game of the arena at its beginning.
func arenaGame() *games.Line[oware.Position] {
	return oware.Descriptor().NewLine(oware.Start(oware.Arena))
}

func cgCommand(how string) Command {
	c := fakeCommand("cg " + how)
	c.Protocol = CG
	return c
}

// TestAGameOfTheArena: a process plays one game, and gets its own houses first.
func TestAGameOfTheArena(t *testing.T) {
	t.Parallel()
	c := cgCommand("counts")
	c.Margin = time.Minute
	p := New(oware.Descriptor(), c)
	defer p.Close()
	lim := Limits{MoveTime: time.Millisecond}
	for range 2 { // games: the fake plays house 0 in its first turn, 1 in its second
		testkit.NoError(t, p.NewGame(t.Context()))
		l := arenaGame()
		for turn := range 2 {
			a, err := p.Search(t.Context(), l, lim, nil)
			if err != nil || int(a.Best) != turn || a.Scored || a.Time <= 0 {
				t.Fatalf("turn %d: %+v, %v", turn, a, err)
			}
			for range 2 {
				testkit.NoError(t, l.Play(a.Best))
			}
		}
	}
	if p.Name() != "" || len(p.Options()) != 0 {
		t.Errorf("name %q, options %v", p.Name(), p.Options())
	}
}

func TestHousesLineHasOwnHousesFirst(t *testing.T) {
	l := arenaGame()
	testkit.Equal(t, housesLine(l.Position().String(), 0), "4 4 4 4 4 4 4 4 4 4 4 4\n", "housesLine")
	testkit.Equal(t, housesLine("0-1-2-3-4-5-6-7-8-9-1-2-0-0-N", 1), "6 7 8 9 1 2 0 1 2 3 4 5\n", "North")
}

// TestFaultsOfABot: each loses by its name.
func TestFaultsOfABot(t *testing.T) {
	t.Parallel()
	for how, want := range map[string]string{
		"babbles":      `garbage: "I think 3": expected a house, 0 to 5`,
		"far":          `garbage: "6": expected`,
		"binary":       "garbage: ",
		"empty house":  "illegal: house 5 in ",
		"dies":         "crashed: exit status 4",
		"hangs":        "late: ",
		"talks early":  `garbage: "2" before its turn`,
		"endless line": "garbage: ",
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			c := cgCommand(how)
			if how != "hangs" {
				c.Margin = 20 * time.Second
			}
			p := start(t, c)
			l := arenaGame()
			var err error
			for range 2 {
				if how == "empty house" {
					l = oware.Descriptor().NewLine(board(t, "1-0-0-0-0-0-1-0-0-0-0-1-24-21-S"))
				}
				if _, err = p.Search(t.Context(), l, Limits{MoveTime: time.Millisecond}, nil); err != nil {
					break
				}
				time.Sleep(100 * time.Millisecond) // for those that talk early
			}
			if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want %s", err, want)
			}
		})
	}
}

func board(t *testing.T, text string) oware.Position {
	t.Helper()
	return testkit.Must(oware.ParseBoard(oware.Arena, text))(t)
}

// TestBotsHaveASecondForTheirFirstMove: later moves have less.
func TestBotsHaveASecondForTheirFirstMove(t *testing.T) {
	t.Parallel()
	c := cgCommand("hangs")
	p := start(t, c)
	begin := time.Now()
	_, err := p.Search(context.Background(), arenaGame(), Limits{MoveTime: time.Millisecond}, nil)
	if took := time.Since(begin); err == nil || took < FirstTurn {
		t.Errorf("after %s: %v", took, err)
	}
}

func TestUnsupportedSettingsOfBot(t *testing.T) {
	t.Parallel()
	p := start(t, cgCommand("counts"))
	for _, lim := range []Limits{{}, {Depth: 1}, {Nodes: 5, MoveTime: 1}, {MoveTime: 1, Clock: &Clock{}}} {
		_, err := p.Search(t.Context(), arenaGame(), lim, nil)
		testkit.ErrorContains(t, err, "protocol=cg")
	}
	for _, tt := range []struct {
		options     []Option
		game, rules string
		fits        bool
	}{
		{nil, "oware", "arena", true},
		{nil, "oware", "abapa", true},
		{nil, "oware", "awari", false},
		{nil, "chess", "arena", false},
		{[]Option{{"Hash", "1"}}, "oware", "arena", false},
	} {
		if err := CG.Check(tt.options, tt.game, tt.rules); (err == nil) != tt.fits {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}

func FuzzHouse(f *testing.F) {
	f.Add("3")
	f.Add("-1")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := parseHouse(Line{Text: text})
		if (err == nil) != (len(text) == 1 && text >= "0" && text <= "5") || err == nil && m > 5 {
			t.Errorf("%q: %d, %v", text, m, err)
		}
	})
}
