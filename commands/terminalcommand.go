package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"

	"kroo/engine"
	"kroo/engine/analysis"
	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/internal/vfs"
)

const terminalHelp = `The name of a move plays it. Besides:
  moves       the legal moves, with what they capture
  hint        what the engine would play, by search and by book
  eval        your winning chance, the expected margin and the score
  review      grade the moves of the game so far, as train analyse does
  undo        take back your last move and the answer
  new         begin again
  level NAME  how strong the engine plays: %s
  save FILE   write the game to a new file (OGN)
  load FILE   go on from the first game of a file
  resign      give the game up
  quit        end
`

// command does what the person typed, or says what is wrong with it.
func (t *terminal[P]) command(ctx context.Context, line string) (quit bool, err error) {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch strings.ToLower(word) {
	case "":
		return false, nil
	case "quit", "exit", "q":
		return true, nil
	case "help", "?":
		t.say(terminalHelp, strings.Join(engine.LevelNames(), ", "))
		return false, nil
	case "hint":
		return t.search(ctx, t.hint)
	case "eval":
		return t.search(ctx, t.eval)
	case "review":
		return t.search(ctx, t.review)
	case "moves":
		return t.tell(t.moves())
	case "save":
		return t.tell(t.save(rest))
	case "level":
		return t.tell(t.setLevel(rest))
	case "resign":
		return t.tell(t.game.Resign())
	case "new":
		t.game.Restart(t.start)
	case "load":
		err = t.load(rest)
	case "undo":
		err = t.game.Undo()
	default:
		err = t.move(word, line)
	}
	if err == nil {
		t.draw()
	}
	return t.tell(err)
}

// move plays a move. A word that is longer than the name of any is meant for a command.
func (t *terminal[P]) move(word, line string) error {
	longest := 0
	for _, name := range t.game.State().Legal {
		longest = max(longest, len(name))
	}
	err := t.game.Move(line)
	if err != nil && longest > 0 && len(word) > longest {
		return fmt.Errorf("%s is neither a move nor a command: help lists the commands", games.Quote(word))
	}
	return err
}

// tell says what is wrong; the game continues.
func (t *terminal[P]) tell(err error) (quit bool, none error) {
	if err != nil {
		t.say("%v\n", err)
	}
	return false, nil
}

// search answers by a search; a program that is to end does not continue with the game.
func (t *terminal[P]) search(ctx context.Context, answer func(context.Context) error) (quit bool, err error) {
	err = answer(ctx)
	t.clearLine()
	if ctx.Err() != nil {
		return false, err
	}
	return t.tell(err)
}

func (t *terminal[P]) hint(ctx context.Context) error {
	h, err := t.game.Hint(ctx)
	t.clearLine()
	if err != nil {
		return err
	}
	t.say("the engine would play %s\n", h.Search.Name)
	if h.InBook {
		t.say("its book plays %s\n", h.Book.Name)
	}
	return nil
}

// eval reports how the person stands.
func (t *terminal[P]) eval(ctx context.Context) error {
	h, err := t.game.Hint(ctx)
	t.clearLine()
	if err != nil {
		return err
	}
	s, score := t.game.State(), h.Search.Score
	text := fmt.Sprintf("score %s at depth %d", analysis.Score(score), h.Search.Depth)
	if p, ok := t.engine.Kit.Prospects(t.engine.Eval, s.Position, score); ok {
		text = fmt.Sprintf("chance %.0f %% (win %.0f %%, draw %.0f %%, loss %.0f %%), expected margin %+.0f %ss; %s",
			p.Expected(), float64(p.Win)/10, float64(p.Draw)/10, float64(p.Loss)/10, math.Round(p.Margin)+0, t.rules().Unit, text)
	}
	t.say("%s: %s\n", t.rules().Sides[s.Person], text)
	return nil
}

// moves lists the legal moves, with what each captures.
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

// review grades the moves of the game as the command analyse does.
func (t *terminal[P]) review(ctx context.Context) error {
	rec := t.game.Record(t.players())
	if len(rec.Moves) == 0 {
		return errors.New("no move to review yet")
	}
	e := *t.engine
	limits := &e.Spec.Search
	limits.Nodes, limits.Depth, limits.MoveTime = analyseNodes, 0, engine.Duration{}
	if err := limits.CheckMemory(2); err != nil { // that of the game is there too
		return err
	}
	searcher := e.NewSearcher()
	defer searcher.Close()
	moves, err := analysis.Game(ctx, &e, searcher, rec, 0, func(found []analysis.Move, total int) {
		t.replaceLine("reviewing move %d of %d", total-len(found)+1, total)
	})
	t.clearLine()
	if err != nil {
		return err
	}
	info, all := t.rules().Info, [][]analysis.Move{moves}
	var text strings.Builder
	analysis.Found(info.Sides, []games.Record[P]{rec}, all)[0].Print(&text, info)
	if !t.colour {
		t.say("%s", text.String())
		return nil
	}
	_, err = io.WriteString(drawing{t.out}, styled(text.String(), map[string]string{string(analysis.Inaccuracy): yellow, string(analysis.Mistake): yellow, string(analysis.Blunder): bold}))
	return err
}

// players are the names of the sides in a record.
func (t *terminal[P]) players() (names [2]string) {
	person := t.game.State().Person
	names[person], names[1-person] = "person", strings.TrimSpace("Kroo "+t.level)
	return names
}

// setLevel changes the level; no name reports which it is.
func (t *terminal[P]) setLevel(name string) error {
	if name != "" {
		l, err := engine.ParseLevel(name)
		if err != nil {
			return err
		}
		t.level = l.Name
		t.game.SetLevel(l)
		t.say("the engine plays at the level %s\n", l.Name)
		return nil
	}
	if t.level == "" {
		t.say("the engine plays its best; level NAME takes %s\n", strings.Join(engine.LevelNames(), ", "))
		return nil
	}
	t.say("the engine plays at the level %s; others are %s\n", t.level, strings.Join(engine.LevelNames(), ", "))
	return nil
}

// save writes the game to a file that is not there yet.
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

// load continues from the first game of a file.
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
