package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"kroo/book"
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/agreement"
	"kroo/internal/outline"
	"kroo/match"
	"kroo/match/elo"
	"kroo/regress"
	"kroo/report"
	"kroo/sampler"
)

// played is a finished match of the run.
type played struct {
	match.Summary
	stage, name string
	note        string // what it compares
	notes       string // and how it was played
	clear       bool   // the games show which player is stronger
}

// addMatch adds the match of a stage, if it is finished.
func (p *results) addMatch(s stage) {
	sum := found[match.Summary](p, s.name)
	if sum == nil {
		return
	}
	m := played{Summary: *sum, stage: s.name, name: s.title, clear: isClear(sum.Score), note: s.note}
	advice := ""
	if s.name == bookPlayStage {
		m.note = fmt.Sprintf("the book chose %s in %s",
			report.Plural(m.BookMoves, "move"), report.Plural(m.Score.Games(), "game"))
		if m.BookMoves < leastBookMoves*max(m.Score.Games(), 1) {
			m.clear = false
			advice = fmt.Sprintf(", too few to judge it: at least %d per game are needed. More expansions or shorter openings give more", leastBookMoves)
		}
	}
	m.notes = s.match.Config.String()
	if m.note != "" {
		m.notes = m.note + advice + " (" + m.notes + ")"
	}
	p.matches = append(p.matches, m)
}

// leastBookMoves is how many moves of a game, on average, a book is to choose before it explains the
// result of a match.
const leastBookMoves = 2

// isClear reports whether the interval of the lead does not reach 0.
func isClear(s elo.Score) bool {
	_, in := s.Elo()
	return in.Low > 0 || in.High < 0
}

// tally formats the games won, drawn and lost.
func tally(s elo.Score) string {
	return fmt.Sprintf("%s won, %s drawn, %s lost", report.Integer(s.Wins), report.Integer(s.Draws), report.Integer(s.Losses))
}

func eloValue(s elo.Score) string {
	lead, in := s.Elo()
	return in.Text(lead, func(x float64) string { return report.SignedNumber(x, 0) })
}

// fact returns a match as one of the main figures.
func (m played) fact() outline.Fact {
	f := outline.Fact{
		Name:  m.name,
		Value: report.Number(100*m.Score.Mean(), 0) + " % of the points",
		Note:  tally(m.Score) + "; " + eloValue(m.Score) + " Elo",
	}
	if !m.clear {
		f.Value, f.Note = "inconclusive", f.Value+"; "+f.Note
	}
	if m.note != "" {
		f.Note += "; " + m.note
	}
	return f
}

// matchSections shows all matches in one picture; nil without matches.
func (p *results) matchSections() []outline.Section {
	if len(p.matches) == 0 {
		return nil
	}
	picture := report.Intervals{Name: "matches", Title: "Elo of the matches", Line: "with 95 % intervals",
		X:       "Elo, 0 for equal strength",
		Caption: "A whole interval right of 0: the first player is stronger; left of 0: weaker; across 0 (grey): too few games to tell. An arrow: the games do not bound that end."}
	var players []outline.Fact
	for _, m := range p.matches {
		lead, in := m.Score.Elo()
		picture.Rows = append(picture.Rows,
			report.Interval{
				Name:  m.name,
				Value: lead,
				Low:   min(in.Low, lead),
				High:  max(in.High, lead),
				Text:  eloValue(m.Score),
			})
		players = append(players,
			outline.Fact{Name: m.name, Value: m.fact().Value, Note: fmt.Sprintf("%s; %s ± %s seeds per game; %s",
				tally(m.Score), report.SignedNumber(m.Diff, 1), report.Number(m.DiffBar, 1), m.notes)})
	}
	return []outline.Section{
		{
			Heading: "Is it good?",
			Figures: []outline.Drawing{picture},
			Text:    []string{"Error and R measure how well the weights reproduce the search. Only games measure how well they play."},
		},
		{Facts: players},
	}
}

// doneSection describes what was done, and shows one board of it.
func (p *results) doneSection() outline.Section {
	one := outline.Section{Heading: "What was done",
		Text: []string{fmt.Sprintf("A captures-only search (%s) gave each of %s boards a label: the score for the side to move, in seeds, 24 for a won game. "+
			"A sum of seed counts, those of the side to move minus those of the other side, was fitted to the labels. %s more boards, drawn differently, validate it.",
			p.labels.search, report.Integer(p.Config.Training.N), report.Integer(p.Config.Validation.N))}}
	if all := p.validation; all != nil {
		one.Text = append(one.Text,
			"One of them, house by house: the numbers below the seeds add up to the score by the weights. "+
				"Half of the boards have larger errors, in seeds of score.")
		one.Figures = []outline.Drawing{p.board(medianError(all), "board", "A position, house by house")}
	}
	return one
}

// medianError returns the row whose error in seeds is the median.
func medianError(rows []judged) judged {
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b judged) int { return cmp.Compare(a.pointError(), b.pointError()) })
	return sorted[len(sorted)/2]
}

// describe names a feature in words, and as tables do.
func describe(feature string) string {
	return owarefeatures.Sets.Meaning(feature) + " (" + feature + ")"
}

// levelSeeds is how many seeds are in play in the level position whose winning chances explain
// weights: about the mean of the samples.
const levelSeeds = 36

// weightSection explains the selected weights, in words and in a picture.
func (p *results) weightSection() outline.Section {
	m := p.fit.Selected
	text := "The score of a position is the sum of weight × difference over these features: what the side to move has minus what the other side has. "
	if len(p.fit.Steps) == 0 {
		text += "All features were kept."
	} else {
		text += fmt.Sprintf("Of %d features, backward elimination kept %d: it dropped the one that matters least, one at a time, until the correlation would have fallen too far. The intervals do not account for this selection.", len(p.fit.Full.Features), len(m.Features))
	}
	if p.calibration != nil {
		text += fmt.Sprintf(" The list has the gain or loss of winning chance for one more than the opponent has, in a level position with %d seeds in play.", levelSeeds)
	}
	one := outline.Section{Heading: "What the weights say", Drawn: true, Text: []string{text}}
	picture := report.Intervals{Name: "weights", Title: "The weights",
		Line: "seeds of score for one more than the opponent has, with 95 % intervals", X: "seeds of score",
		Caption: "Right of 0: good to have; left of 0: bad. Short intervals: the labels determine the weight well."}
	for i, name := range m.Features {
		row := report.Interval{Name: describe(name), Value: oware.InSeeds(m.Points[i])}
		row.Low = row.Value
		row.High = row.Value
		row.Text, _ = report.SignedEstimate(row.Value, math.NaN())
		if i < len(m.StdErr) {
			bar := oware.InSeeds(agreement.Significant * m.StdErr[i])
			weight, barText := report.SignedEstimate(row.Value, bar)
			row.Low -= bar
			row.High += bar
			row.Text = weight + " ± " + barText
		}
		picture.Rows = append(picture.Rows, row)
	}
	slices.SortStableFunc(picture.Rows, func(a, b report.Interval) int { return cmp.Compare(b.Value, a.Value) })
	for _, row := range picture.Rows {
		one.Facts = append(one.Facts, outline.Fact{Name: row.Name, Value: p.inWords(row.Value)})
	}
	one.Figures = []outline.Drawing{picture}
	return one
}

// inWords describes the value of one more of something.
func (p *results) inWords(seeds float64) string {
	score := "a score of " + report.SignedNumber(seeds, 2)
	if p.calibration == nil {
		return score + " seeds for one more than the opponent has"
	}
	win, draw, _ := p.calibration.Chances(seeds, levelSeeds/float64(oware.Seeds))
	return fmt.Sprintf("%s %% of winning chance (%s)", report.SignedNumber(100*(win+draw/2)-50, 0), score)
}

// treePlies is the depth of the tree that is drawn.
const treePlies = 6

// twigs returns the moves of a position that are drawn: all at the start, two on the line of best play,
// and one elsewhere.
func (p *results) twigs(t *book.Tree, at oware.Position, ply int, best bool) (next []*report.Twig) {
	found, _ := t.At(at)
	moves := found.Moves
	slices.SortStableFunc(moves, func(a, b book.Branch) int {
		if a.Best != b.Best {
			if a.Best {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Below, a.Below)
	})
	if ply > 0 && len(moves) > 1 {
		drawn := 1
		if best {
			drawn = 2
		}
		moves = moves[:drawn]
	}
	for i, b := range moves {
		points := float64(b.Score)
		if at.ToMove() == oware.North {
			points = -points // for South, as is the chance
		}
		twig := &report.Twig{
			Move:  oware.MoveName(b.Move, at.ToMove()),
			Worth: report.SignedNumber(oware.InSeeds(points), 1),
			Value: points,
			Below: b.Below,
			Best:  best && i == 0,
		}
		if chance, ok := p.prospects(points, at); ok {
			twig.Worth = report.Number(chance.ExpectedResult(), 0) + " %"
		}
		if b.Entry && ply+1 < treePlies {
			twig.Next = p.twigs(t, at.Play(b.Move), ply+1, twig.Best)
		}
		next = append(next, twig)
	}
	return next
}

// bookSections returns the picture of the book, and its drop-out diagrams, folded.
func (p *results) bookSections() ([]outline.Section, error) {
	if p.book == nil {
		return nil, nil
	}
	b, err := book.Open(p.path(bookFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // an old run whose book has been deleted
	}
	if err != nil {
		return nil, err
	}
	explored, err := book.Explore(context.Background(), b, p.rules)
	if err != nil {
		return nil, err
	}
	start := oware.Start(p.rules)
	at, _ := explored.At(start)
	text := fmt.Sprintf("The book has %s of the %s positions that were searched, to ply %d. It grows where an opponent is likeliest to leave it.",
		report.Integer(p.book.Entries), report.Integer(p.book.Nodes), p.book.MaxDepth)
	tree := report.Tree{Name: "book-tree", Title: "The opening book as a tree",
		Line:    "Scores for South, in seeds; thicker lines lead to more of the book",
		Caption: "All first moves, each with the best replies; along the line of best play also the reply with the largest part of the book. South's moves are capitals. A long black line: the book follows best play far."}
	tree.Root.Below, tree.Root.Next = at.Below, p.twigs(explored, start, 0, true)
	var chance func(points float64) float64
	if p.calibration != nil {
		text += " Winning chances are those of games of the program's own weights; this run has too few games for its own."
		tree.Line = "South's winning chances in percent; thicker lines lead to more of the book"
		chance = func(points float64) float64 {
			s, _ := p.prospects(points, start)
			return s.ExpectedResult()
		}
	}
	leaves := outline.Section{Heading: "Drop-out diagrams", Aside: true}
	for side, of := range explored.Survey().Sides {
		leaves.Figures = append(leaves.Figures, report.DropOut{Side: oware.Side(side), Leaves: of.Leaves, Chance: chance})
	}
	return []outline.Section{{Heading: "The opening book", Figures: []outline.Drawing{tree}, Text: []string{text}},
		leaves}, nil
}

// published is a fit as J. Sala Soler prints it ("Un motor de cerca per a l'aualé", UOC, 2014):
// [owarefeatures.FindPublished] has its weights.
type published struct {
	set     string // the features, as a feature set
	heading string
	r, mae  float64 // correlation, and mean absolute error in points
}

// nextToThesis sets the fits of the published features next to the published figures, for a run that
// has them: under the thesis's rules.
func (p *results) nextToThesis() []outline.Section {
	all := []outline.Section{{Heading: "Next to the thesis", Text: p.thesisTexts()}}
	for _, t := range []published{{"thesis", "all twelve features", 0.8149, 121.75},
		{"thesis4", "the four that elimination leaves", 0.8086, 124.26}} {
		set, err := owarefeatures.Sets.ByName(t.set)
		fits := append(slices.Clone(p.fit.Subsets), p.fit.Full, p.fit.Selected)
		i := slices.IndexFunc(fits,
			func(m regress.ModelSummary) bool { return err == nil && slices.Equal(m.Features, set.Names()) })
		if i >= 0 && p.rules == oware.Abapa {
			all = append(all, outline.Section{Heading: "Next to the thesis: " + t.heading, Table: t.compare(fits[i]),
				Text: []string{"Weights in points per unit; R and mean absolute error over both sides of each position, predictions not clamped."}})
		}
	}
	if len(all) == 1 {
		return nil
	}
	return all
}

// compare returns a table of the published figures and ours.
func (p published) compare(m regress.ModelSummary) *outline.Table {
	t := outline.NewTable("", "published", "ours", "± standard error", "ours − published")
	row := func(name string, published, ours float64, digits int) {
		t.Add(name, report.Number(published, digits), report.Number(ours, digits), "–",
			report.SignedNumber(ours-published, digits))
	}
	weights, _ := owarefeatures.FindPublished(p.set)
	for i, f := range m.Features {
		stdErr := math.NaN()
		if i < len(m.StdErr) {
			stdErr = m.StdErr[i]
		}
		theirs := weights.Named.Points[slices.Index(weights.Named.Features, f)]
		ours, errText := report.SignedEstimate(m.Points[i], stdErr)
		difference, _ := report.SignedEstimate(m.Points[i]-theirs, stdErr)
		t.Add(f, report.SignedNumber(theirs, 2), ours, errText, difference)
	}
	row("R, training", p.r, m.Train.R, 4)
	row("R², training", p.r*p.r, m.Train.R2, 4)
	row("error, training", p.mae, m.Train.MAE, 2)
	return t
}

// thesisTexts explain the comparison: labels, samples, and our readings of the thesis.
func (p *results) thesisTexts() []string {
	population := "boards that a game can reach"
	if p.Config.Training.Population == sampler.Thesis {
		population = "all boards that are not terminal, as published"
	}
	return []string{
		fmt.Sprintf("The published figures are from J. Sala Soler, Un motor de cerca per a l'aualé (UOC, 2014): labels by a captures-only search of 200 ms, %s training and %s validation positions. This run: labels by a search with %s, %s and %s positions, drawn from %s. "+
			"Labels of a stronger search are more extreme and harder to explain, so compare the signs and sizes of weights. R depends on labels and sample: an R of this page that is close to a published one of other features is chance.",
			report.Integer(41036), report.Integer(32591), p.labels.search, report.Integer(p.fit.Full.Train.Rows), report.Integer(p.fit.Full.Agreement().Rows), population),
		"The thesis does not say, so this is our reading: the size in “proportional to size” is the number of captured seeds; elimination stops at the tolerance of the configuration; a proven result is an end of the scale, ±1000 points.",
	}
}
