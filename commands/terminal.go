package commands

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"golang.org/x/term"

	"kroo/engine"
	"kroo/engine/play"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/wording"
)

// terminal shows a game and reads what the person types.
type terminal[P search.Position[P]] struct {
	engine *engine.Engine[P]
	game   *play.Game[P]
	start  P
	level  string // "" for the engine's best
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
	game.OnThinking(func(m play.Thought) { t.replaceLine("thinking, depth %d", m.Depth) })
	return t
}

// rules are those of the game.
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
			return cmp.Or(ctx.Err(), t.in.Err())
		}
		if quit, err := t.command(ctx, strings.TrimSpace(line)); quit || err != nil {
			return err
		}
	}
}

// say prints text.
func (t *terminal[P]) say(format string, a ...any) {
	fmt.Fprintf(t.out, format, a...)
}

// replaceLine shows on a screen how far a search is. Without wrapping, which a narrow terminal
// would do, the line stays one to be replaced.
func (t *terminal[P]) replaceLine(format string, a ...any) {
	if t.screen {
		fmt.Fprintf(drawing{t.out}, "\r\x1b[K\x1b[?7l"+format+"\x1b[?7h", a...)
	}
}

// clearLine removes how far a search is.
func (t *terminal[P]) clearLine() {
	if t.screen {
		fmt.Fprint(drawing{t.out}, "\r\x1b[K")
	}
}

// line reads a line, or gives up when the context ends.
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

// Escape sequences of a terminal.
const (
	redraw  = "\x1b[H\x1b[2J" // the screen, with the cursor in its corner
	bold    = "\x1b[1m"
	yellow  = "\x1b[1;33m"
	unstyle = "\x1b[0m"
)

// draw shows who plays which side, the board, with the moves there are in bold and the last one in
// yellow, and what the last move was. On a screen it takes the place of what was there.
func (t *terminal[P]) draw() {
	s, g := t.game.State(), t.rules()
	board := g.Diagram(s.Position)
	if t.colour {
		styles := map[string]string{}
		for _, name := range s.Legal {
			styles[name] = bold
		}
		if s.Last.Name != "" {
			styles[s.Last.Name] = yellow
		}
		board = styled(board, styles)
	}
	fmt.Fprint(drawing{t.out}, map[bool]string{true: redraw, false: "\n"}[t.screen])
	t.say("You play %s, the engine (%s) plays %s.\n", g.Sides[s.Person], cmp.Or(t.level, "at its best"), g.Sides[1-s.Person])
	fmt.Fprintf(drawing{t.out}, "\n%s\n", board)
	if s.Last.Name == "" {
		return
	}
	text := g.Sides[s.Last.Side] + " played " + s.Last.Name
	if s.Last.Gain > 0 {
		text += " and captured " + wording.Count(s.Last.Gain, g.Unit)
	}
	t.say("%s\n", text)
}

// word is what styled gives a style.
var word = regexp.MustCompile(`\S+`)

// styled gives words of a text a style each.
func styled(text string, styles map[string]string) string {
	return word.ReplaceAllStringFunc(text, func(w string) string {
		if style, ok := styles[w]; ok {
			return style + w + unstyle
		}
		return w
	})
}

// fewMoves are as many as the prompt lists.
const fewMoves = 20

// legalText tells the legal moves, or some where there are many.
func legalText(names []string) string {
	if len(names) <= fewMoves {
		return strings.Join(names, " ")
	}
	return fmt.Sprintf("%s … of %d", strings.Join(names[:fewMoves/4], " "), len(names))
}
