package match

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/internal/outline"
	"kroo/internal/vfs"
	"kroo/internal/wording"
)

// resultTokens are indexed by the first side's half-points.
var resultTokens = [3]string{games.SecondWins, games.DrawnGame, games.FirstWins}

// record returns the record of a finished game, in which A has the given side. The comment of a move
// is its score (centi-seeds for the side that makes it), depth, nodes and, if recorded, time, or
// says that it is from a book.
func (r *referee[P]) record(l *games.Line[P], log gameLog, a int, round string) games.Record[P] {
	v := r.judge(l, log)
	termination := string(v.Termination)
	if log.Forfeit != nil {
		termination += ": " + log.Forfeit.Reason
	}
	sides := r.Game.Sides
	rec := l.Record(
		games.Tag{Name: sides[0], Value: r.contestant(a).Name},
		games.Tag{Name: sides[1], Value: r.contestant(1 - a).Name},
		games.Tag{Name: "Round", Value: round},
		games.Tag{Name: games.TagResult, Value: resultTokens[v.HalfPoints]},
		games.Tag{Name: games.TagRules, Value: r.Rules},
		games.Tag{Name: games.TagTermination, Value: termination},
	)
	if usual, err := r.Game.Start(r.Rules); err != nil || rec.Start != usual {
		rec.Tags = append(rec.Tags, games.Tag{Name: games.TagFEN, Value: r.Game.Print(rec.Start)})
	}
	if tc := controlsText(r.control(a), r.control(1-a)); tc != "" {
		rec.Tags = append(rec.Tags, games.Tag{Name: "TimeControl", Value: tc})
	}
	if limits := r.limitsText(); limits != "" {
		rec.Tags = append(rec.Tags, games.Tag{Name: "Limits", Value: limits})
	}
	if text := r.limitViolations(l, log.Answers, a); text != "" {
		rec.Tags = append(rec.Tags, games.Tag{Name: "LimitsNotObeyed", Value: text})
	}
	rec.Result = resultTokens[v.HalfPoints]
	opening := len(rec.Moves) - len(log.Answers)
	for i := range rec.Moves {
		rec.Moves[i].Comment = games.OpeningComment
		if i >= opening {
			rec.Moves[i].Comment = comment(log.Answers[i-opening])
		}
	}
	return rec
}

// limitViolations names the programs that exceeded their limits in a game, and how; the Limits tag has the
// limits requested.
func (r *referee[P]) limitViolations(l *games.Line[P], answers []engine.Answer, a int) string {
	var searches [2]client.LimitTally
	before := l.History()[len(l.History())-len(answers):]
	for i, n := range answers {
		side := r.Game.SideToMove(before[i])
		if p := r.contestant(a ^ side).engine.Program(); p != nil && !n.Book {
			found := search.Result{Score: n.Score, Depth: n.Depth, Nodes: n.Nodes, Time: n.Time}
			searches[side].Add(p.Limits, client.Answer{Result: found})
		}
	}
	var list []string
	for side := range searches {
		if text := searches[side].Violation(); text != "" {
			list = append(list, r.contestant(a^side).Name+": "+text)
		}
	}
	return strings.Join(list, "; ")
}

// comment returns the comment of a move, "" if the player reports no score.
func comment(a engine.Answer) string {
	text := ""
	switch {
	case a.Book:
		text = "book"
	case a.Depth > 0 || a.Score != 0:
		text = fmt.Sprintf("score %+d depth %d nodes %d", a.Score, a.Depth, a.Nodes)
	case a.Nodes > 0:
		text = fmt.Sprintf("nodes %d", a.Nodes)
	}
	if a.Time > 0 {
		text += fmt.Sprintf(" time %.3fs", a.Time.Seconds())
	}
	return strings.TrimSpace(text)
}

// controlsText returns the TimeControl tag: the clock of both, or of the first and the second side.
func controlsText(first, second engine.TimeControl) string {
	if first == second {
		return first.String()
	}
	return cmp.Or(first.String(), "none") + ", " + cmp.Or(second.String(), "none")
}

// description is the summary of game records.
type description struct {
	Games   int            `json:"games"`
	Results map[string]int `json:"results"`
	Plies   int            `json:"plies"` // of all games
	Players []string       `json:"players"`
	// NoResult counts the games without a result token: they may be incomplete.
	NoResult int `json:"no_result"`
}

// DescribeRecords describes a file of recorded games.
func DescribeRecords[P games.Position[P]](g *games.Game[P], path string) (*outline.Doc, error) {
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, err := g.ParseRecords(f, path)
	if err != nil {
		return nil, err
	}
	d := description{Games: len(records), Results: map[string]int{}}
	players := map[string]int{}
	for _, r := range records {
		d.Results[r.Result]++
		d.Plies += len(r.Moves)
		if r.NoResult {
			d.NoResult++
		}
		for _, side := range g.Sides {
			if name := r.Tag(side); name != "" {
				players[name]++
			}
		}
	}
	d.Players = slices.Sorted(maps.Keys(players))
	plies := float64(d.Plies) / float64(max(d.Games, 1))
	s := &outline.Doc{Value: d, Title: fmt.Sprintf("%s, %.1f plies each", wording.Count(d.Games, "game"), plies)}
	for _, r := range slices.Sorted(maps.Keys(d.Results)) {
		s.Facts = append(s.Facts, outline.Fact{Name: r, Value: wording.Count(d.Results[r], "game")})
	}
	if d.NoResult > 0 {
		s.Facts = append(s.Facts,
			outline.Fact{Name: "without a result", Value: fmt.Sprint(d.NoResult), Note: "(possibly truncated)"})
	}
	for _, name := range d.Players {
		s.Facts = append(s.Facts, outline.Fact{Name: name, Value: wording.Count(players[name], "game")})
	}
	return s, nil
}

// Output says where to write the games of a match; the zero value means nowhere.
type Output struct {
	File string
	Made string // command for the header of File; "" omits it
}

// check checks before the games whether they can be written.
func (o Output) check() error {
	if o.File == "" {
		return nil
	}
	return atomicfile.Check(o.File)
}

// write writes records in the format of [games.Game.ParseRecords]. The first has the command that
// made them.
func write[P games.Position[P]](o Output, g *games.Game[P], records []games.Record[P]) error {
	if o.File == "" {
		return nil
	}
	return atomicfile.WriteFile(o.File, func(w io.Writer) error { return writeRecords(w, g, records, o.Made) })
}

func writeRecords[P games.Position[P]](w io.Writer, g *games.Game[P], records []games.Record[P], made string) error {
	for i, rec := range records {
		if i == 0 {
			rec = rec.MadeBy(made)
		}
		if err := g.WriteRecord(w, rec); err != nil {
			return fmt.Errorf("game %d: %w", i+1, err)
		}
	}
	return nil
}

// Split writes every game into a file of its own, game-0001.ogn and so on, with the roster of tags
// that other programs expect ([games.Game.WithRoster]). It resumes after a call with the same or
// fewer games. It returns an error if the folder contains anything else.
func Split[P games.Position[P]](g *games.Game[P], records []games.Record[P], folder string) error {
	if err := vfs.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	lock, err := atomicfile.LockFolder(folder)
	if err != nil {
		return err
	}
	defer atomicfile.Unlock(lock)
	there, err := existingGames(g, records, folder)
	if err != nil {
		return err
	}
	for i := range records {
		path := filepath.Join(folder, splitName(i, len(records)))
		if there[filepath.Base(path)] {
			continue
		}
		if err := atomicfile.WriteFile(path, func(w io.Writer) error { return writeSplit(w, g, records[i]) }); err != nil {
			return err
		}
	}
	return nil
}

// existingGames lists the games in a folder, and returns an error if it contains anything else.
func existingGames[P games.Position[P]](g *games.Game[P], records []games.Record[P], folder string) (map[string]bool, error) {
	if err := atomicfile.RemoveTemps(folder); err != nil {
		return nil, err
	}
	list, err := vfs.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for i, rec := range records[:min(len(list), len(records))] {
		var want bytes.Buffer
		if err := writeSplit(&want, g, rec); err != nil {
			return nil, err
		}
		name := splitName(i, len(records))
		got, err := vfs.ReadFile(filepath.Join(folder, name))
		found[name] = err == nil && bytes.Equal(got, want.Bytes())
	}
	for _, f := range list {
		if !found[f.Name()] && f.Name() != atomicfile.FolderLock {
			return nil, fmt.Errorf("%s is not empty: %s is not one of these games; expected a new folder, or one with the first of these games", folder, f.Name())
		}
	}
	return found, nil
}

// splitName returns the file name of one of n games, numbered from 0.
func splitName(i, n int) string {
	return fmt.Sprintf("game-%0*d.ogn", max(4, len(fmt.Sprint(n))), i+1)
}

func writeSplit[P games.Position[P]](w io.Writer, g *games.Game[P], rec games.Record[P]) error {
	return g.WriteRecord(w, g.WithRoster(rec.MadeBy("")))
}
