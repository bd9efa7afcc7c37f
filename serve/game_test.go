package serve

import (
	"math/rand/v2"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// The steps of a move, as pages animate it, lead to the position of the rules.
func TestStepsOfAMove(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	captures, grandSlams := 0, 0
	for range 3000 {
		rules := kit.Game.Rules[rng.IntN(len(kit.Game.Rules))]
		p := testkit.Must(kit.Game.Random(rng, rules))(t)
		for _, m := range p.AppendMoves(nil) {
			s, now, want := sow(p, m), shotOf(p), shotOf(p.Play(m))
			now.Houses[s.House] = 0
			for _, h := range s.Path {
				now.Houses[h]++
			}
			for _, h := range s.Takes {
				now.Stores[p.ToMove()] += now.Houses[h]
				now.Houses[h] = 0
				captures++
			}
			if now.Houses != want.Houses || now.Stores != want.Stores {
				t.Fatalf("%s %s: %s sows %v takes %v, gives %v %v, want %v %v", rules, p, s.Move, s.Path, s.Takes, now.Houses, now.Stores, want.Houses, want.Stores)
			}
			if len(s.Path) > 0 && s.Path[0] != (s.House+1)%houses {
				t.Fatalf("%s %s: begins at %d", p, s.Move, s.Path[0])
			}
			if len(s.Takes) == 6 {
				grandSlams++
			}
		}
	}
	if captures < 500 {
		t.Errorf("%d captures seen, expected more", captures)
	}
}

func TestStateOfAGame(t *testing.T) {
	st := testkit.Must(stateOf(url.Values{"moves": {"FfEe"}}))(t)
	if st.Rules != "abapa" || st.Moves != "FfEe" || len(st.Line) != 4 || st.Line[1].Side != 1 || st.Turn != 0 || len(st.Legal) != 5 || st.Over {
		t.Errorf("state %+v", st)
	}
	over, err := stateOf(url.Values{"from": {"0-0-0-0-0-1-1-0-0-0-0-0-25-21-N"}})
	if err != nil || !over.Over || over.Outcome == "" || len(over.Legal) != 0 {
		t.Errorf("a game that is over: %+v, %v", over, err)
	}
}

// The pages of the board and of the book show the same values of a move, and recommend the same moves.
func TestAMoveHasTheSameValuesOnBoardAndBook(t *testing.T) {
	s := testServer(t, Config{})
	for _, moves := range []string{"", "F", "FfEe"} {
		page := answers(t, s, "GET", "/book?moves="+moves, 200)
		k := valueOf[known](t, s, "/api/known?moves="+moves)
		if len(k.Book) == 0 {
			t.Errorf("after %q the book has no moves", moves)
		}
		for _, m := range k.Book {
			name := m.Move
			if m.Best {
				name += " ★"
			}
			row := regexp.MustCompile(`<td>(<a [^>]*>)?` + name + `(</a>)?</td><td class="number">` + m.Worth + `</td><td class="number">` + regexp.QuoteMeta(m.Margin) + `</td>`)
			if !row.MatchString(page) {
				t.Errorf("after %q the page of the book has no row for %+v", moves, m)
			}
		}
	}
}

// Book and tables are requested separately, so that a page can hide them.
func TestBookAndTablesOfAPosition(t *testing.T) {
	s := testServer(t, Config{})
	ask := func(query string) known { return valueOf[known](t, s, "/api/known?"+query) }
	if k := ask("moves=FfEe"); len(k.Book) == 0 || k.Book[0].Worth == "" || k.Book[0].Margin == "" || k.Table != nil || k.Turn != 0 {
		t.Errorf("%+v: the default book has this position, the tables have not", k)
	}
	const few = "0-1-0-0-2-0-1-0-0-0-1-0-21-22-S"
	if k := ask("from=" + few); k.Table == nil || k.Table.Board != few || len(k.Table.Moves) != 2 {
		t.Errorf("a board of five seeds: %+v", k)
	}
	if k := ask("from=0-0-0-0-0-1-1-0-0-0-0-0-25-21-N"); k.Book != nil || k.Table != nil {
		t.Errorf("a game that is over: %+v", k)
	}
	for _, query := range []string{"moves=x", "rules=x", "from=x"} {
		answers(t, s, "GET", "/api/known?"+query, 400)
	}
	if _, _, text := get(s, "/api/game?moves=FfEe"); strings.Contains(text, `"book"`) {
		t.Errorf("the game contains values of the book: %s", text)
	}
}

// Under abapa the tables' values are for a game that begins at the position: after a move without
// capture, earlier positions can recur.
func TestTablesInTheMiddleOfAStretch(t *testing.T) {
	s := testServer(t, Config{})
	const start = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-N"
	for query, want := range map[string]bool{
		"from=" + start:                                false,
		"from=" + start + "&moves=aA":                  true,
		"from=" + start + "&moves=aAbBcCdDeEf":         true,
		"from=1-0-0-0-0-1-1-0-0-0-1-0-21-23-S&moves=F": false, // a capture
		"rules=awari&from=" + start + "&moves=aA":      false,
	} {
		k := valueOf[known](t, s, "/api/known?"+query)
		if k.Table == nil || k.Earlier != want {
			t.Errorf("%s: %+v: want earlier positions %t", query, k, want)
		}
	}
}

func TestWrongGamesAreRefused(t *testing.T) {
	s := testServer(t, Config{})
	for query, want := range map[string]string{
		"rules=chess":                         "abapa",
		"moves=Fx":                            "ply 2",
		"moves=FF":                            "ply 2",
		"from=1-2":                            "expected",
		"moves=" + strings.Repeat("F", 5_000): "at most",
	} {
		answers(t, s, "GET", "/api/game?"+query, 400, want)
		answers(t, s, "GET", "/?"+query, 200)
	}
}

// A link with a wrong move opens the game before it, and one with wrong variations the moves.
func TestALinkOpensAsFarAsItIsRight(t *testing.T) {
	s := testServer(t, Config{})
	for query, want := range map[string]string{
		"moves=FfExA":             `"moves":"FfE"`,
		"moves=FfE&tree=Ff(E":     `"moves":"FfE"`,
		"moves=FfEE&tree=FfE(Aa)": `"moves":"FfE"`,
	} {
		answers(t, s, "GET", "/api/game?"+query, 400)
		text := answers(t, s, "GET", "/?"+query, 200, want)
		if strings.Contains(text, `"fault":""`) {
			t.Errorf("%s: no fault is named", query)
		}
	}
	stopped := answers(t, s, "GET", "/?moves=FfExA", 200, "The game stops before move 2... ")
	if strings.Contains(stopped, "ply 4") {
		t.Error("the move has two numbers")
	}
}

// Any address gets an answer without a panic, and an accepted game is the same when requested again.
func FuzzGameOfAnAddress(f *testing.F) {
	for _, seed := range []string{"moves=FfEe", "rules=awari&from=4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "rules=simple&moves=A%20b", "from=0-1-0-0-2-0-1-0-0-0-1-0-21-22-S&moves=E", "%zz", "moves=\xff", "moves=Ff&tree=[South \"a\\\"\"][Result \"1-0\"]{x}F{y (}f(a{z})"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		q, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		q.Del("rules") // tables of other rules take a second to build
		st, err := stateOf(q)
		if err != nil {
			return
		}
		again, err := stateOf(url.Values{"rules": {st.Rules}, "from": {st.From.Board}, "moves": {st.Moves}, "tree": {st.Tree}})
		if err != nil || again.Tree != st.Tree || again.Moves != st.Moves || again.From.Board != st.From.Board {
			t.Errorf("%q gives %s %s, asked again %v, %v", query, st.From.Board, st.Moves, again, err)
		}
	})
}

// An accepted text can be shown.
func FuzzGameOfAText(f *testing.F) {
	for _, seed := range []string{"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "[Rules \"awari\"]\n\n1. F f 2. E *", "[FEN \"0-1-0-0-2-0-1-0-0-0-1-0-21-22-S\"] 1. E", "1. F (A a (b)) f", "[Event \"a \\\"b\\\"\"] {x (} F {y} ({z} A) {w} f 1-0", "{", "-------------", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := gameIn(text, "")
		if err != nil {
			return
		}
		l, _, err := lineOf(url.Values{"rules": {g.Rules}, "from": {g.From}, "moves": {g.Moves}})
		if g.Tree != "" && err == nil {
			var rec record
			if rec, err = linesOf(l.Start(), g.Tree); err == nil && treeText(rec) != g.Tree {
				t.Errorf("%q has the lines %s, which are read as %s", text, g.Tree, treeText(rec))
			}
		}
		if err != nil || l.Text() != g.Moves || l.Start().String() != g.From {
			t.Errorf("%q is taken as %+v, which is not a game: %v", text, g, err)
		}
	})
}

func TestImportAndExport(t *testing.T) {
	s := testServer(t, Config{})
	code, h, text := get(s, "/api/export?moves=FfEe&south=you&north=Kroo+medium&ended=0-1")
	if code != 200 || !strings.Contains(h.Get("Content-Disposition"), "game.ogn") {
		t.Fatalf("export: %d %v", code, h)
	}
	records, err := oware.Descriptor().ParseRecords(strings.NewReader(text), "export")
	if err != nil || len(records) != 1 || len(records[0].Moves) != 4 || records[0].Tag("North") != "Kroo medium" || records[0].Result != games.SecondWins {
		t.Errorf("exported %s: %+v, %v", text, records, err)
	}
	code, _, answer := ask(s, request("POST", "/api/import", strings.NewReader(text)))
	if want := `{"rules":"abapa","from":"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S","moves":"FfEe","tree":"[South \"you\"][North \"Kroo medium\"][Result \"0-1\"]FfEe","games":1}`; code != 200 || strings.TrimSpace(answer) != want {
		t.Errorf("imported again: %d %s, want %s", code, answer, want)
	}
	if code, _, answer := ask(s, request("POST", "/api/import", strings.NewReader(strings.Repeat("x", maxRecord+1)))); code != 413 {
		t.Errorf("a text that is too long: %d %s, want 413", code, answer)
	}
}

// Variations are read from a text and from an address, with captures, and saved.
func TestVariationsOfAGame(t *testing.T) {
	s := testServer(t, Config{})
	const text = "[Rules \"abapa\"]\n\n1. F f 2. E (2. A a (2... b 3. C)) (2. B) e *"
	code, _, answer := ask(s, request("POST", "/api/import", strings.NewReader(text)))
	if code != 200 || !strings.Contains(answer, `"moves":"FfEe","tree":"FfE(Aa(bC))(B)e"`) {
		t.Fatalf("imported: %d %s", code, answer)
	}
	st, err := stateOf(url.Values{"moves": {"FfAb"}, "tree": {"FfE(Aa(bC))(B)e"}})
	if err != nil || st.Tree != "FfE(Aa(bC))(B)e" || st.Moves != "FfAb" || st.Line[1].To.Legal != "ABCDE" {
		t.Errorf("state %+v, %v", st, err)
	}
	answers(t, s, "GET", "/api/export?moves=FfAb&tree="+url.QueryEscape("FfE(Aa(bC))(B)e"), 200, "1. F f 2. E (2. A a (2... b 3. C)) (2. B) 2... e *")
	const capture = "1-1-1-1-1-3-1-2-1-4-4-4-12-12-S"
	if st, err := stateOf(url.Values{"from": {capture}, "tree": {"A(Fe)"}}); err != nil || st.Tree != "A(F+7e+6)" {
		t.Errorf("a capture in a variation: %+v, %v", st, err)
	}
	for tree, want := range map[string]string{
		"Ff(": "closing parenthesis", "(F)": "before it", "FF": "to move", "F+3": "capture noted", "F*[South \"a\"]A": "of 2 games",
		"F[Rules \"awari\"]": "variations", strings.Repeat("F", maxTree+1): "at most",
	} {
		for _, path := range []string{"/api/game?tree=", "/api/export?tree="} {
			answers(t, s, "GET", path+url.QueryEscape(tree), 400, want)
		}
	}
}

// The result of a game is that of its Result tag, not of a comment or another tag that looks like one.
func TestResultOfLinesIsThatOfTheirTag(t *testing.T) {
	start := testkit.Must(kit.Game.Start("abapa"))(t)
	for text, want := range map[string]string{
		`Ff`:                        games.Unknown,
		`[Result "1-0"]Ff`:          games.FirstWins,
		`[Event "a"][Result "0-1"]`: games.SecondWins,
		`{[Result "1-0"]}Ff`:        games.Unknown,
		`[Event "[Result \"1-0\"]"][Round "]"]Ff{[Result "1-0"]}`: games.Unknown,
	} {
		rec, err := linesOf(start, text)
		testkit.NoError(t, err)
		testkit.Equal(t, rec.Result, want, "result of %s", text)
	}
}

// Tags, comments and the result of a resigned game are saved again.
func TestTagsAndCommentsAreKept(t *testing.T) {
	s := testServer(t, Config{})
	const text = `[Event "Club \"A\""]
[South "Anna"]
[North "Béla"]
[Result "0-1"]
[Rules "abapa"]

{opening} 1. F $5 {why not} f 2. E (2. A {slow} a (2... b {better})) 2... e
{South resigns} 0-1

`
	g := testkit.Must(gameIn(text, ""))(t)
	if want := `[Event "Club \"A\""][South "Anna"][North "Béla"][Result "0-1"]{opening}F$5{why not}fE(A{slow}a(b{better}))e{South resigns}`; g.Tree != want {
		t.Fatalf("the lines are %s, expected %s", g.Tree, want)
	}
	q := url.Values{"rules": {g.Rules}, "from": {g.From}, "moves": {g.Moves}, "tree": {g.Tree}}
	if st, err := stateOf(q); err != nil || st.Tree != g.Tree {
		t.Errorf("state %+v, %v", st, err)
	}
	if code, _, saved := get(s, "/api/export?"+q.Encode()); code != 200 || saved != text {
		t.Errorf("saved %d:\n%s\nexpected\n%s", code, saved, text)
	}
	q.Set("north", "Kroo medium") // the new player replaces the old one
	if _, _, saved := get(s, "/api/export?"+q.Encode()); strings.Contains(saved, "Béla") || !strings.Contains(saved, "[South \"Anna\"]\n[North \"Kroo medium\"]") {
		t.Errorf("saved:\n%s", saved)
	}
}

func TestAGameThatIsTooLongForAnAddress(t *testing.T) {
	_, err := gameIn("[South \""+strings.Repeat("x", maxTree)+"\"] F *", "")
	testkit.ErrorContains(t, err, "at most")
}

func TestThePageOfTheRulesNamesAllOfThem(t *testing.T) {
	_, _, page := get(testServer(t, Config{}), "/rules")
	for _, rules := range kit.Game.Rules {
		testkit.Contains(t, strings.ToLower(page), rules+" ")
	}
}
