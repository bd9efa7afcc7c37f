package commands

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kroo/endgame"
	"kroo/engine"
	"kroo/engine/study"
	values "kroo/features/chess"
	squares "kroo/features/othello"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/report"
	"kroo/run/inspect"
)

func studyCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:     "study",
		Short:   "repeat tables of the literature; accuracy in endgames",
		Example: "  train study orders --depth 9 --plots figures\n  train study algorithms --game tictactoe --depth 9",
	}, studyAlgorithms(), studyOrders(), studyAccuracy(), studyOthello(), studyLaMoSca())
}

// studySeed is the seed of the games that studies take their positions from.
const studySeed = 1

// study runs the study of a configuration: with orders, of positions of generated games or of those
// in a file of records.
func (g gameOf[P]) study(j *job, algorithms *study.AlgorithmsConfig, orders *study.OrdersConfig, recorded string) study.Result {
	s, progress := must(study.Of(g.kit)), j.progress(j.Name(), "searches")
	if algorithms != nil {
		return must(study.Algorithms(j.Context(), s, *algorithms, progress))
	}
	if recorded != "" {
		var err error
		s, err = s.WithRecords(must(readGames(g.kit.Game, recorded)))
		checkIn(recorded, err)
	}
	return must(study.Orders(j.Context(), s, *orders, progress))
}

// show writes the figures of a study into the folder, if any, and prints the result in any case.
func (p plotsFlag) show(j *job, result study.Result) {
	d := result.Doc()
	defer j.show("", d)
	p.save(j, d)
}

// save writes the figures of a document into the folder, if any.
func (p plotsFlag) save(j *job, d *doc.Doc) {
	folder := string(p.Plots)
	if folder == "" {
		return
	}
	for _, figure := range d.Figures() {
		f := must((*figure).Draw())
		j.claimInFolder(folder, figureFiles(folder, f.Name))
		must(report.SaveFigure(folder, f))
	}
}

func figureFiles(dir, name string) (list []output) {
	for _, ending := range []string{".svg", ".png"} {
		list = append(list, output{path: filepath.Join(dir, name+ending), kind: inspect.KindPicture, compared: true})
	}
	return list
}

func studyAlgorithms() *cobra.Command {
	var f struct {
		rulesFlags
		plotsFlag
		study.AlgorithmsConfig `name:"."`
	}
	return newCommand(&cobra.Command{
		Use:   "algorithms",
		Short: "minimax, alpha-beta, negascout and the engine by depth, from the start",
		Long: `Searches the start position to increasing depth, by the textbooks' minimax, alpha-beta and
negascout, and by the engine; in oware also by published
listings, reconstructed. The default rules are those of the published table,
simple-to-end. It fails if the textbook searches find different values.`,
		Example: "  train study algorithms --budget 30s --plots figures\n  train study algorithms --depth 18 --budget 10m",
	}, func(j *job) {
		check((engine.Config{HashMB: f.HashMB}).CheckMemory(1))
		f.AlgorithmsConfig.Rules = f.rulesFlags.given()
		f.show(j, f.game().study(j, &f.AlgorithmsConfig, nil, ""))
	}, &f)
}

func studyOrders() *cobra.Command {
	var f struct {
		rulesFlags
		plotsFlag
		study.OrdersConfig
		Games string `name:"games" help:"all positions of the games in this file of records instead"`
	}
	f.Positions = 60
	return newCommand(&cobra.Command{
		Use:   "orders",
		Short: "leaves, branching and time of each move ordering by depth, against the minimal tree",
		Long: `Searches positions to every depth by alpha-beta with each move ordering, by the best
ordering with a hash table, and by the engine at full width. It compares the leaves that
they evaluate with the leaves of the full and the minimal tree. Times are processor times.`,
		Example: "  train study orders --depth 7 --positions 100\n  train study orders --depth 13 --positions 20 --plots figures\n  train study orders --games games.ogn --depth 11 --full-depth 11",
	}, func(j *job) {
		f.FullDepth = min(f.FullDepth, f.Depth)
		f.Seed = studySeed
		if f.Games != "" {
			j.notWith("--games", "positions")
		}
		f.Sample.Rules = f.rulesFlags.given()
		f.show(j, f.game().study(j, nil, &f.OrdersConfig, f.Games))
	}, &f)
}

// seedRange is a range of seeds in play, such as 4-12, or one number.
type seedRange struct{ fewest, most int }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (r *seedRange) UnmarshalText(text []byte) error {
	from, to, two := strings.Cut(string(text), "-")
	if !two {
		to = from
	}
	fewest, err := strconv.Atoi(from)
	most, merr := strconv.Atoi(to)
	if err != nil || merr != nil || fewest < 1 || most < fewest || most > endgame.MaxSeeds {
		return fmt.Errorf("expected a number or a range within 1 to %d, such as 4-12", endgame.MaxSeeds)
	}
	*r = seedRange{fewest, most}
	return nil
}

// MarshalText implements [encoding.TextMarshaler].
func (r seedRange) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%d-%d", r.fewest, r.most), nil
}

func studyAccuracy() *cobra.Command {
	var f struct {
		plotsFlag
		rulesFlag
		weightsFlag
		workersFlag
		engineFlag
		tableFlag
		study.AccuracyConfig
		Seeds  seedRange `name:"seeds" default:"4-12" help:"seeds in play: a number, or a range such as 6-8"`
		HashMB int       `name:"hash" default:"16" range:"1..65536" group:"Search" help:"hash table of each searcher, in MiB"`
	}
	return newCommand(&cobra.Command{
		Use:   "accuracy",
		Short: "how often searches without tables keep the proven value of an endgame",
		Long: `Draws endgames whose value the table proves and in which some moves keep it and
others do not, and searches them without tables with --nodes. Right moves are counted by
seeds in play, with Wilson's interval of 95 %.
` + engineHelp,
		Example: "  train study accuracy --seeds 6-8 --positions 100\n  train study accuracy --rules awari --weights thesis12 --nodes 1000 --json",
	}, func(j *job) {
		t := must(endgame.Find(f.Table, oware.Rules(f.Rules)))
		defer t.Close()
		s := f.engineFlag.searcher(j, f.Weights,
			&engine.Config{Nodes: slices.Max(f.Nodes), HashMB: f.HashMB, Tables: engine.NoTables})
		e := must(engine.Open(j.Context(), engine.Oware(), s, oware.Rules(f.Rules).String()))
		defer e.Close()
		pool := must(e.Searchers(f.Workers))
		c := f.AccuracyConfig
		c.Fewest, c.Most, c.Seed, c.Player = f.Seeds.fewest, f.Seeds.most, studySeed, e.Eval.Name
		result := must(study.Accuracy(j.Context(), pool, t, c, j.progress("accuracy", "searches")))
		check(t.Err())
		f.show(j, result)
	}, &f)
}

func studyOthello() *cobra.Command {
	var f plotsFlag
	return newCommand(&cobra.Command{
		Use:   "othello WEIGHTS.json",
		Short: "fitted weights of Othello's squares next to a published table",
		Long: `Prints weights that were fitted to the classes of squares of Othello's 8x8 board
next to those that the magazine MCmicrocomputer published as its figure 3: by
class, with agreements and differences, and by square. Fitted weights are
scaled so that both tables have the same length. docs/other-games.md has the whole
comparison.`,
		Example: "  train study othello squares.json",
	}, func(j *job) {
		result, err := study.Figure3(must(squares.Sets.Load(j.args[0])))
		checkIn(j.args[0], err)
		f.show(j, result)
	}, &f)
}

func studyLaMoSca() *cobra.Command {
	var f plotsFlag
	return newCommand(&cobra.Command{
		Use:   "lamosca",
		Short: "repeat the two published sessions of LaMoSca, a minimax chess program",
		Long: `Repeats what LaMoSca v0.06 printed when it searched for its first move at levels 2
and 4, by its own rules and its evaluation as far as the printed values determine
it: that evaluation is reconstructed, not published.`,
		Example: "  train study lamosca",
	}, func(j *job) {
		f.show(j, must(study.LaMoSca(j.Context(), values.LaMoSca(), "lamosca, reconstructed", j.progress("lamosca", "moves"))))
	}, &f)
}
