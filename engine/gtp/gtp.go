// Package gtp is the engine as a program for Othello that speaks GTP, the Go Text Protocol:
// version 2, as G. Farnebäck specifies it, with what programs such as Edax and Egaroucid made
// of it for Othello, and the games of Quarry and the rules of GoGui. A command is a line, an
// answer a text between = and an empty line, an error one behind a question mark; what a
// number precedes is answered with that number.
//
//	protocol_version, name, version, list_commands, known_command NAME, quit
//	list_games, set_game Othello    what else it plays: nothing
//	boardsize 8, clear_board        a new game
//	komi NUMBER                     means nothing in Othello
//	play COLOUR MOVE                such as play black F5, or play white PASS
//	genmove COLOUR                  the move, which is made
//	undo                            takes the last of these two back
//	time_settings MAIN PERIOD N     seconds of a game, then of N moves each
//	time_left COLOUR SECONDS N      what is left of these, N = 0 for those of the game
//	showboard, final_score          the board; B+12, W+2 or 0 of a game that is over
//	gogui-rules_NAME                what GoGui asks to be told of the rules
//
// Columns are letters and rows numbers from the top, as Othello has them, so that black, who
// has E4 and D5, begins with D3, C4, F5 or E6. A client need not say that a side passes that
// has to: the move of the other side says so. Behind the end of a game both sides pass.
//
// Without a limit of the [Server] and without a clock a move takes a second.
package gtp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/games/othello"
	"kroo/internal/input"
)

// longestLine is the longest line that is read, in bytes.
const longestLine = 1 << 16

// gameName is what Quarry and GoGui call the game.
const gameName = "Othello"

// Server speaks the protocol. Serve may be called once.
type Server struct {
	Player        *engine.Player[othello.Position]
	Name, Version string
	Limits        search.Limits // of each move, beside those of the client's clock

	known map[string]command
	line  *games.Line[othello.Position]
	plies []int // that each play and genmove of the game made: a pass may come before a move
	clock clock
	out   io.Writer
}

// command is how a command is obeyed that has at least so many arguments. The error is what
// the client is told.
type command struct {
	arguments int
	obey      func(ctx context.Context, arguments []string) (answer string, err error)
}

// Serve answers commands until quit, the end of the input, or of the context.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	s.out, s.known = out, s.commands()
	s.clear()
	return input.Lines(ctx, in, longestLine, func(text string) (bool, error) { return s.take(ctx, text) })
}

// take obeys a line; last tells that there are no more.
func (s *Server) take(ctx context.Context, text string) (last bool, err error) {
	text, _, _ = strings.Cut(text, "#")
	words := strings.Fields(strings.Map(printed, text))
	id := ""
	if len(words) > 0 && strings.Trim(words[0], "0123456789") == "" {
		id, words = words[0], words[1:]
	}
	if len(words) == 0 && id == "" {
		return false, nil
	}
	answer, err := s.obey(ctx, words)
	mark := "="
	if err != nil {
		mark, answer = "?", err.Error()
	}
	if ctx.Err() != nil {
		return true, ctx.Err() // which may have cut a search short: no answer is better than half a one
	}
	_, err = fmt.Fprintf(s.out, "%s%s %s\n\n", mark, id, answer)
	return len(words) > 0 && words[0] == "quit", err
}

// printed is a character as the protocol has it: without those that control, with a space
// for a tab.
func printed(r rune) rune {
	switch {
	case r == '\t':
		return ' '
	case unicode.IsControl(r):
		return -1
	}
	return r
}

func (s *Server) obey(ctx context.Context, words []string) (string, error) {
	if len(words) == 0 {
		return "", errors.New("unknown command")
	}
	c, ok := s.known[words[0]]
	switch {
	case !ok:
		return "", errors.New("unknown command")
	case len(words)-1 < c.arguments:
		return "", fmt.Errorf("syntax error: %d arguments, expected %d", len(words)-1, c.arguments)
	}
	return c.obey(ctx, words[1:])
}

// commands are those that are known, by name.
func (s *Server) commands() map[string]command {
	says := func(answer string) command {
		return command{0, func(context.Context, []string) (string, error) { return answer, nil }}
	}
	tells := func(answer func() string) command {
		return command{0, func(context.Context, []string) (string, error) { return answer(), nil }}
	}
	takes := func(arguments int, obey func([]string) error) command {
		return command{arguments, func(_ context.Context, words []string) (string, error) { return "", obey(words) }}
	}
	return map[string]command{
		"protocol_version": says("2"),
		"name":             says(s.Name),
		"version":          says(s.Version),
		"quit":             says(""),
		"list_games":       says(gameName),
		"list_commands":    tells(func() string { return strings.Join(slices.Sorted(maps.Keys(s.known)), "\n") }),
		"known_command": {1, func(_ context.Context, words []string) (string, error) {
			_, ok := s.known[words[0]]
			return strconv.FormatBool(ok), nil
		}},
		"set_game":      takes(1, s.setGame),
		"boardsize":     takes(1, s.setSize),
		"clear_board":   takes(0, func([]string) error { s.clear(); return nil }),
		"komi":          takes(1, setKomi),
		"play":          takes(2, s.play),
		"genmove":       {1, s.genmove},
		"undo":          takes(0, s.undo),
		"time_settings": takes(3, s.clock.set),
		"time_left":     takes(3, s.clock.tell),
		"showboard":     tells(func() string { return "\n" + strings.TrimRight(s.line.Position().Diagram(), "\n") }),
		"final_score": {0, func(context.Context, []string) (string, error) {
			if _, _, over := s.line.Over(); !over {
				return "", errors.New("cannot score: the game is not over")
			}
			return s.score(), nil
		}},
		"gogui-rules_game_id":      says(gameName),
		"gogui-rules_board_size":   says("8"),
		"gogui-rules_board":        tells(s.rows),
		"gogui-rules_side_to_move": tells(func() string { return colours[othello.Descriptor().SideToMove(s.line.Position())] }),
		"gogui-rules_legal_moves":  tells(s.legal),
		"gogui-rules_final_result": tells(s.score),
	}
}

func (s *Server) setGame(words []string) error {
	if !strings.EqualFold(words[0], gameName) {
		return fmt.Errorf("unsupported game %s: expected %s", games.Quote(words[0]), gameName)
	}
	s.clear()
	return nil
}

func (s *Server) setSize(words []string) error {
	if words[0] != "8" {
		return fmt.Errorf("unacceptable size %s: expected 8", games.Quote(words[0]))
	}
	s.clear()
	return nil
}

func setKomi(words []string) error {
	if _, err := strconv.ParseFloat(words[0], 64); err != nil {
		return fmt.Errorf("syntax error: komi %s, expected a number", games.Quote(words[0]))
	}
	return nil
}

// clear begins a game.
func (s *Server) clear() {
	s.line, s.plies = othello.Descriptor().NewLine(othello.Start(othello.Large)), nil
	s.clock.restart()
	s.Player.Searcher.Clear()
}

func (s *Server) undo([]string) error {
	last := len(s.plies) - 1
	if last < 0 {
		return errors.New("cannot undo: no move has been made")
	}
	s.takeBack(s.plies[last])
	s.plies = s.plies[:last]
	return nil
}

func (s *Server) takeBack(plies int) {
	for range plies {
		s.line.Undo()
	}
}

// play makes a move of a side.
func (s *Server) play(words []string) error {
	side, err := parseColour(words[0])
	if err != nil {
		return err
	}
	m, err := othello.Descriptor().ParseMove(s.line.Position(), words[1])
	if err != nil {
		return fmt.Errorf("syntax error: %w", err)
	}
	_, err = s.move(side, func() (othello.Move, error) { return m, nil })
	return err
}

// genmove chooses a move of a side, makes and names it.
func (s *Server) genmove(ctx context.Context, words []string) (string, error) {
	side, err := parseColour(words[0])
	if err != nil {
		return "", err
	}
	m, err := s.move(side, func() (othello.Move, error) {
		if _, _, over := s.line.Over(); over {
			return othello.Pass, nil
		}
		c, err := s.Player.Think(ctx, s.line, s.clock.limits(s.Limits, side), search.Query{})
		s.clock.spend(side, c.Time)
		return c.Move, err
	})
	return strings.ToUpper(othello.MoveName(othello.Large, m)), err
}

// move has a side make the move of choose, behind the pass of the other side where this has
// to. A game that is over takes passes, which change nothing. After an error all is as before.
func (s *Server) move(side othello.Side, choose func() (othello.Move, error)) (m othello.Move, err error) {
	before := s.line.Plies()
	defer func() {
		if made := s.line.Plies() - before; err != nil {
			s.takeBack(made)
		} else {
			s.plies = append(s.plies, made)
		}
	}()
	_, _, over := s.line.Over()
	if p := s.line.Position(); !over && othello.Descriptor().SideToMove(p) != int(side) {
		pass, only := othello.Descriptor().LeftOut(p)
		if !only {
			return 0, fmt.Errorf("illegal move: it is the turn of %s", colours[1-side])
		}
		if err := s.line.Play(pass); err != nil {
			return 0, err
		}
	}
	if m, err = choose(); err != nil {
		return 0, err
	}
	if over && m == othello.Pass {
		return m, nil
	}
	return m, s.line.Play(m)
}

// colours are the names of the sides.
var colours = [2]string{othello.Dark: "black", othello.Light: "white"}

func parseColour(text string) (othello.Side, error) {
	for side, name := range colours {
		if strings.EqualFold(text, name) || strings.EqualFold(text, name[:1]) {
			return othello.Side(side), nil
		}
	}
	return 0, fmt.Errorf("syntax error: colour %s, expected black or white", games.Quote(text))
}

// score is the discs that a side has more in a game that is over, unknown in any other.
func (s *Server) score() string {
	diff, _, over := s.line.Over()
	switch {
	case !over:
		return "unknown"
	case diff > 0:
		return fmt.Sprintf("B+%d", diff)
	case diff < 0:
		return fmt.Sprintf("W+%d", -diff)
	}
	return "0"
}

// rows are those of the board as GoGui shows them: the first at the bottom.
func (s *Server) rows() string {
	const size = 8
	squares, rows := s.line.Position().String(), make([]string, 0, size)
	for row := size - 1; row >= 0; row-- {
		rows = append(rows, strings.Join(strings.Split(squares[size*row:size*(row+1)], ""), " "))
	}
	return strings.Join(rows, "\n")
}

// legal are the moves of the side to move, none where the game is over.
func (s *Server) legal() string {
	if _, _, over := s.line.Over(); over {
		return ""
	}
	p := s.line.Position()
	return strings.ToUpper(othello.Descriptor().MoveNames(p, p.AppendMoves(nil)...))
}
