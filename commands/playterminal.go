package commands

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"regexp"
	"strings"

	"golang.org/x/term"

	"kroo/engine"
	"kroo/engine/analysis"
	"kroo/engine/play"
	"kroo/engine/search"
	"kroo/features"
	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/internal/console"
	"kroo/internal/vfs"
	"kroo/internal/wording"
)

// terminal shows a game and reads moves and commands.
type terminal[P search.Position[P]] struct {
	engine *engine.Engine[P]
	game   *play.Game[P]
	start  P
	level  string // "" for full strength
	in     *bufio.Scanner
	out    io.Writer
	screen bool // the output is a terminal with escape sequences: the board is drawn in place
	colour bool // of a screen, unless NO_COLOR is set
}

func newTerminal[P search.Position[P]](j *job, e *engine.Engine[P], game *play.Game[P], start P) *terminal[P] {
	t := &terminal[P]{
		engine: e, game: game, start: start, in: bufio.NewScanner(j.InOrStdin()), out: j.OutOrStdout(),
		screen: term.IsTerminal(int(os.Stdout.Fd())) && os.Getenv("TERM") != "dumb",
	}
	t.colour = t.screen && os.Getenv("NO_COLOR") == ""
	if game != nil {
		game.OnThinking(func(m play.Thought) { t.replaceLine("thinking, depth %d", m.Depth) })
	}
	return t
}

func (t *terminal[P]) rules() *games.Game[P] { return t.engine.Kit.Game }

func (t *terminal[P]) play(ctx context.Context) error {
	t.draw()
	for {
		s := t.game.State()
		if !s.Over && !s.PersonToMove() {
			_, err := t.game.Answer(ctx)
			t.clearLine()
			if err != nil {
				return err
			}
			t.draw()
			continue
		}
		if s.Over {
			t.say("game over (%s): %s\n", s.Reason, s.Outcome)
			t.say("review, new, undo, save FILE or quit: ")
		} else {
			t.say("%s, your move (%s, or help): ", t.rules().Sides[s.Person], legalText(s.Legal))
		}
		line, ok := t.line(ctx)
		if !ok {
			fmt.Fprintln(t.out)
			return t.inputError(ctx)
		}
		if quit, err := t.command(ctx, strings.TrimSpace(line)); quit || err != nil {
			return err
		}
	}
}

func (t *terminal[P]) say(format string, a ...any) { fmt.Fprintf(t.out, format, a...) }

// replaceLine shows the progress of a search on a screen, without wrapping, so that the next call
// can replace it.
func (t *terminal[P]) replaceLine(format string, a ...any) {
	if t.screen {
		fmt.Fprintf(console.Drawing(t.out), "\r\x1b[K\x1b[?7l"+format+"\x1b[?7h", a...)
	}
}

// clearLine removes the progress of a search.
func (t *terminal[P]) clearLine() {
	if t.screen {
		fmt.Fprint(console.Drawing(t.out), "\r\x1b[K")
	}
}

// line reads a line. It returns false at the end of the input or when the context ends. In the second
// case a goroutine is still reading: the scanner must not be used any more.
func (t *terminal[P]) line(ctx context.Context) (string, bool) {
	read := make(chan bool, 1)
	go func() { read <- t.in.Scan() }()
	select {
	case ok := <-read:
		return t.in.Text(), ok
	case <-ctx.Done():
		return "", false
	}
}

// inputError returns why line has returned false: nil at the end of the input.
func (t *terminal[P]) inputError(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err // the scanner is still in use
	}
	return t.in.Err()
}

// Escape sequences of a terminal.
const (
	redraw   = "\x1b[H\x1b[2J" // clears the screen
	bold     = "\x1b[1m"
	reversed = "\x1b[7m" // legible on dark and on light terminals, unlike yellow
	unstyle  = "\x1b[0m"
)

// draw shows the sides, the board with legal moves in bold and the last move in reverse, and what the
// last move captured. It clears a screen first.
func (t *terminal[P]) draw() {
	s, g := t.game.State(), t.rules()
	board := g.Diagram(s.Position)
	if t.colour {
		styles := map[string]string{}
		for _, name := range s.Legal {
			styles[name] = bold
		}
		if s.Last.Name != "" {
			styles[s.Last.Name] = reversed
		}
		board = style(board, styles)
	}
	start := "\n"
	if t.screen {
		start = redraw
	}
	fmt.Fprint(console.Drawing(t.out), start)
	t.say("You play %s, the engine (%s) plays %s.\n", g.Sides[s.Person], cmp.Or(t.level, "at its best"), g.Sides[1-s.Person])
	fmt.Fprintf(console.Drawing(t.out), "\n%s\n", board)
	if s.Last.Name == "" {
		return
	}
	text := g.Sides[s.Last.Side] + " played " + s.Last.Name
	if s.Last.Gain > 0 {
		text += " and captured " + wording.Count(s.Last.Gain, g.Unit)
	}
	t.say("%s\n", text)
}

var word = regexp.MustCompile(`\S+`)

// style gives words of a text their styles.
func style(text string, styles map[string]string) string {
	return word.ReplaceAllStringFunc(text, func(w string) string {
		if style, ok := styles[w]; ok {
			return style + w + unstyle
		}
		return w
	})
}

// fewMoves is the number of moves up to which the prompt lists all.
const fewMoves = 20

func legalText(names []string) string {
	if len(names) <= fewMoves {
		return strings.Join(names, " ")
	}
	return fmt.Sprintf("%s … of %d", strings.Join(names[:fewMoves/4], " "), len(names))
}

const terminalHelp = `The name of a move plays it. Commands:
  moves       the legal moves, with what they capture
  hint        what the engine would play, by search and by book
  eval        your winning chance, the expected margin and the score
  review      grade the moves of the game so far, as train analyse does
  undo        take back your last move and the answer
  new         start a new game
  level NAME  how strong the engine plays: %s or full
  save FILE   write the game to a new file (OGN)
  load FILE   continue the first game of a file
  resign      resign the game
  quit        end
`

// terminalCommands are the names that command knows.
var terminalCommands = []string{
	"help", "moves", "hint", "eval", "review", "undo", "new", "level", "save", "load", "resign", "quit",
}

// command runs a command or plays a move. It prints errors, but returns that of an ended context.
func (t *terminal[P]) command(ctx context.Context, line string) (quit bool, err error) {
	name, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	changed := false // the board
	switch strings.ToLower(name) {
	case "":
	case "quit", "exit", "q":
		return true, nil
	case "help", "?":
		t.say(terminalHelp, strings.Join(engine.LevelNames(), ", "))
	case "hint":
		err = t.hint(ctx)
	case "eval":
		err = t.eval(ctx)
	case "review":
		err = t.review(ctx)
	case "moves":
		err = t.moves()
	case "save":
		err = t.save(rest)
	case "level":
		err = t.setLevel(rest)
	case "resign":
		err = t.game.Resign()
	case "new":
		t.game.Restart(t.start)
		changed = true
	case "load":
		err, changed = t.load(rest), true
	case "undo":
		err, changed = t.game.Undo(), true
	default:
		err, changed = t.move(name, line), true
	}
	switch {
	case err != nil && ctx.Err() != nil:
		t.clearLine()
		return false, err
	case err != nil:
		t.clearLine()
		t.say("%s\n", wrapText(err.Error()+suggestFile(err)))
	case changed:
		t.draw()
	}
	return false, nil
}

// move plays a move. A word that is longer than any move is taken for a mistyped command.
func (t *terminal[P]) move(name, line string) error {
	longest := 0
	for _, legal := range t.game.State().Legal {
		longest = max(longest, len(legal))
	}
	err := t.game.Move(line)
	if err != nil && longest > 0 && len(name) > longest {
		return fmt.Errorf("%s is neither a move nor a command: %shelp lists the commands", games.Quote(name),
			wording.Suggest(name, terminalCommands))
	}
	return err
}

func (t *terminal[P]) hint(ctx context.Context) error {
	h, err := t.game.Hint(ctx)
	if err != nil {
		return err
	}
	t.clearLine()
	t.say("the engine would play %s\n", h.Search.Name)
	if h.InBook {
		t.say("its book plays %s\n", h.Book.Name)
	}
	return nil
}

// eval evaluates the position for the person.
func (t *terminal[P]) eval(ctx context.Context) error {
	h, err := t.game.Hint(ctx)
	if err != nil {
		return err
	}
	t.clearLine()
	s, score := t.game.State(), h.Search.Score
	text := fmt.Sprintf("score %s at depth %d", analysis.Score(score), h.Search.Depth)
	if p, ok := t.engine.Kit.Prospects(t.engine.Eval, s.Position, score); ok {
		percents := features.Percents(float64(p.Win)/1000, float64(p.Draw)/1000, float64(p.Loss)/1000)
		text = fmt.Sprintf("chance %.0f %% (win %s, draw %s, loss %s), expected margin %+.0f %ss; %s",
			p.ExpectedResult(), percents[0], percents[1], percents[2], math.Round(p.Margin)+0, t.rules().Unit, text)
		if _, borrowed := t.engine.Kit.CalibrationOf(t.engine.Eval); borrowed {
			text += "; " + engine.BorrowedNote
		}
	}
	t.say("%s\n", wrapText(t.rules().Sides[s.Person]+": "+text))
	return nil
}

func (t *terminal[P]) moves() error {
	s, g := t.game.State(), t.rules()
	var list []string
	for _, name := range s.Legal {
		m, err := g.ParseMove(s.Position, name)
		if err != nil {
			return err
		}
		if g.Gain != nil && g.Gain(s.Position, m) > 0 {
			name += fmt.Sprintf("+%d", g.Gain(s.Position, m))
		}
		list = append(list, name)
	}
	t.say("%s\n", cmp.Or(strings.Join(list, " "), "the game is over"))
	return nil
}

// review grades the moves of the game like train analyse.
func (t *terminal[P]) review(ctx context.Context) error {
	rec := t.game.Record(t.players())
	if len(rec.Moves) == 0 {
		return errors.New("no move to review yet")
	}
	e := *t.engine
	limits := &e.Spec.Search
	limits.Nodes = analyseNodes
	limits.Depth = 0
	limits.MoveTime = engine.Duration{}
	if err := limits.CheckMemory(2); err != nil { // the game has a hash table too
		return err
	}
	searcher := e.NewSearcher()
	defer searcher.Close()
	moves, err := analysis.Game(ctx, &e, searcher, rec, 0, func(found []analysis.Move, total int) {
		t.replaceLine("reviewing move %d of %d", total-len(found)+1, total)
	})
	if err != nil {
		return err
	}
	t.clearLine()
	info, all := t.rules().Info, [][]analysis.Move{moves}
	text := analysis.Found(info.Sides, []games.Record[P]{rec}, all)[0].Doc(info).Text("")
	styles := map[string]string{}
	if t.colour {
		styles = map[string]string{string(analysis.Inaccuracy): bold, string(analysis.Mistake): bold,
			string(analysis.Blunder): reversed}
	}
	_, err = io.WriteString(console.Drawing(t.out), style(text, styles))
	return err
}

func (t *terminal[P]) players() (names [2]string) {
	person := t.game.State().Person
	names[person], names[1-person] = "person", strings.TrimSpace("Kroo "+t.level)
	return names
}

// setLevel changes the level, unless name is "", and shows it. The level "full" is no level: the engine
// plays at its best.
func (t *terminal[P]) setLevel(name string) error {
	switch strings.ToLower(name) {
	case "full":
		t.level = ""
		t.game.SetLevel(engine.Level{})
	case "":
	default:
		level, err := engine.ParseLevel(name)
		if err != nil {
			return err
		}
		t.level = level.Name
		t.game.SetLevel(level)
	}
	t.say("level: %s; there are %s and full\n", cmp.Or(t.level, "full"), strings.Join(engine.LevelNames(), ", "))
	return nil
}

func (t *terminal[P]) save(path string) error {
	if path == "" {
		return errors.New("save: expected the name of a file, as save game.ogn")
	}
	if err := atomicfile.Claim(path); err != nil {
		return err
	}
	if _, err := vfs.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s already exists: choose another name", path)
	}
	rec := t.rules().WithRoster(t.game.Record(t.players()))
	err := atomicfile.WriteFile(path, func(w io.Writer) error { return t.rules().WriteRecord(w, rec) })
	if err == nil {
		t.say("saved to %s\n", path)
	}
	return err
}

func (t *terminal[P]) load(path string) error {
	if path == "" {
		return errors.New("load: expected the name of a file, as load game.ogn")
	}
	records, err := readGames(t.rules(), path)
	if err != nil {
		return err
	}
	return t.game.Load(records[0])
}
