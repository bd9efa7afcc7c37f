package commands

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/wording"
	"kroo/play"
)

// terminal shows a game and reads what the person types.
type terminal[P search.Position[P]] struct {
	description *games.Game[P]
	game        *play.Game[P]
	start       P
	level       string // "" for the engine's best
	in          *bufio.Scanner
	out         io.Writer
	colour      bool // the output is a terminal: it may be coloured, and lines written again
}

func newTerminal[P search.Position[P]](cmd *cobra.Command, description *games.Game[P], game *play.Game[P], start P) *terminal[P] {
	t := &terminal[P]{
		description: description, game: game, start: start, in: bufio.NewScanner(cmd.InOrStdin()), out: cmd.OutOrStdout(),
		colour: term.IsTerminal(int(os.Stdout.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
	}
	if t.colour {
		// Without wrapping, which a narrow terminal would do, the line stays one to be replaced.
		game.OnThinking(func(m play.Thought) {
			fmt.Fprintf(drawing{t.out}, "\r\x1b[K\x1b[?7lthinking: %s\x1b[?7h", t.describe(m))
		})
	}
	return t
}

func (t *terminal[P]) play(ctx context.Context) error {
	t.draw()
	for {
		s := t.game.State()
		if !s.Over && !s.PersonToMove() {
			thought, err := t.game.Answer(ctx)
			t.clearLine()
			if err != nil {
				return err
			}
			t.draw()
			t.say("engine: %s\n", t.describe(thought))
			continue
		}
		if s.Over {
			t.say("game over (%s): %s\n", s.Reason, s.Outcome)
			t.say("new, undo, save FILE or quit: ")
		} else {
			t.say("your move (%s, or help): ", legalText(s.Legal))
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

// clearLine removes what the engine was thinking.
func (t *terminal[P]) clearLine() {
	if t.colour {
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

// Styles of a terminal.
const (
	bold    = "\x1b[1m"
	yellow  = "\x1b[1;33m"
	unstyle = "\x1b[0m"
)

// draw shows the board, with the moves there are in bold and the last one in yellow, and
// what the last move was.
func (t *terminal[P]) draw() {
	s := t.game.State()
	board := t.description.Diagram(s.Position)
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
	fmt.Fprintf(drawing{t.out}, "\n%s\n", board)
	if s.Last.Name == "" {
		return
	}
	text := t.description.Sides[s.Last.Side] + " played " + s.Last.Name
	if s.Last.Gain > 0 {
		text += " and captured " + wording.Count(s.Last.Gain, t.description.Unit)
	}
	t.say("%s\n", text)
}

// styled gives words of a text a style each.
func styled(text string, styles map[string]string) string {
	var b strings.Builder
	for _, part := range strings.SplitAfter(text, " ") {
		word := strings.TrimSpace(part)
		if style, ok := styles[word]; ok && word != "" {
			part = strings.Replace(part, word, style+word+unstyle, 1)
		}
		b.WriteString(part)
	}
	return b.String()
}

// describe tells a move of the engine and why it is played.
func (t *terminal[P]) describe(m play.Thought) string {
	switch {
	case m.Book:
		return fmt.Sprintf("%s (book, %+.2f %ss for it)", m.Name, float64(m.Points)/t.description.PointsPerUnit(), t.description.Unit)
	case m.Proven:
		return fmt.Sprintf("%s (depth %d, the result is certain: %s)", m.Name, m.Depth, outcome(m.Score))
	}
	return fmt.Sprintf("%s (depth %d, %+.2f %ss for it)", m.Name, m.Depth, float64(m.Score)/100, t.description.Unit)
}

func outcome(score int) string {
	switch {
	case score > 0:
		return "it wins"
	case score < 0:
		return "it loses"
	}
	return "a draw"
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
