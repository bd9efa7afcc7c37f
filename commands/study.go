package commands

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kroo/endgame"
	"kroo/engine"
	"kroo/engine/study"
	chessfeatures "kroo/features/chess"
	othellofeatures "kroo/features/othello"
	"kroo/games/oware"
	"kroo/internal/outline"
	"kroo/internal/vfs"
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
func (g gameOf[P]) study(
	j *job, algorithms *study.AlgorithmsConfig, orders *study.OrdersConfig, recorded string,
) (study.Result, error) {
	s, err := study.Of(g.kit)
	if err != nil {
		return nil, err
	}
	progress := j.progress(j.Name(), "searches")
	if algorithms != nil {
		return study.Algorithms(j.Context(), s, *algorithms, progress)
	}
	if recorded != "" {
		games, err := readGames(g.kit.Game, recorded)
		if err != nil {
			return nil, err
		}
		s, err = s.WithRecords(games)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", recorded, err)
		}
	}
	return study.Orders(j.Context(), s, *orders, progress)
}

// show writes the figures of a study into the folder, if any, and prints the result in any case.
func (p plotsFlag) show(j *job, result study.Result) error {
	d := result.Doc()
	saved := p.save(j, d)
	shown := j.show("", d)
	return cmp.Or(saved, shown)
}

// save writes the figures of a document into the folder, if any.
func (p plotsFlag) save(j *job, d *outline.Doc) error {
	folder := string(p.Plots)
	if folder == "" {
		return nil
	}
	for _, figure := range d.Figures() {
		f, err := (*figure).Draw()
		if err != nil {
			return err
		}
		if err := vfs.MkdirAll(folder, 0o777); err != nil {
			return err
		}
		if _, err := j.claimOutputs(figureFiles(folder, f.Name)); err != nil {
			return err
		}
		if _, err := report.SaveFigure(folder, f); err != nil {
			return err
		}
	}
	return nil
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
	}, func(j *job) error {
		if err := (engine.Config{HashMB: f.HashMB}).CheckMemory(1); err != nil {
			return err
		}
		var err error
		f.AlgorithmsConfig.Rules, err = f.rulesFlags.given()
		if err != nil {
			return err
		}
		result, err := f.game().study(j, &f.AlgorithmsConfig, nil, "")
		if err != nil {
			return err
		}
		return f.show(j, result)
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
		Example: "  train study orders --depth 7 --positions 100\n" +
			"  train study orders --depth 13 --positions 20 --plots figures\n" +
			"  train study orders --games games.ogn --depth 11 --full-depth 11",
	}, func(j *job) error {
		f.FullDepth = min(f.FullDepth, f.Depth)
		f.Seed = studySeed
		if f.Games != "" {
			if err := j.notWith("--games", "positions"); err != nil {
				return err
			}
		}
		var err error
		f.Sample.Rules, err = f.rulesFlags.given()
		if err != nil {
			return err
		}
		result, err := f.game().study(j, nil, &f.OrdersConfig, f.Games)
		if err != nil {
			return err
		}
		return f.show(j, result)
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
		Example: "  train study accuracy --seeds 6-8 --positions 100\n" +
			"  train study accuracy --rules awari --weights captures --nodes 1000 --json",
	}, func(j *job) error {
		t, err := endgame.Find(f.Table, oware.Rules(f.Rules))
		if err != nil {
			return err
		}
		defer t.Close()
		s, err := f.engineFlag.searcher(j, f.Weights,
			&engine.Config{Nodes: slices.Max(f.Nodes), HashMB: f.HashMB, Tables: engine.NoTables})
		if err != nil {
			return err
		}
		e, err := engine.Open(j.Context(), engine.Oware(), s, oware.Rules(f.Rules).String())
		if err != nil {
			return err
		}
		defer e.Close()
		pool, err := e.Searchers(f.Workers)
		if err != nil {
			return err
		}
		c := f.AccuracyConfig
		c.Fewest, c.Most = f.Seeds.fewest, f.Seeds.most
		c.Seed = studySeed
		c.Player = e.Eval.Name
		result, err := study.Accuracy(j.Context(), pool, t, c, j.progress("accuracy", "searches"))
		if err != nil {
			return err
		}
		if err := t.Err(); err != nil {
			return err
		}
		return f.show(j, result)
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
	}, func(j *job) error {
		weights, err := othellofeatures.Sets.Load(j.args[0])
		if err != nil {
			return err
		}
		result, err := study.Figure3(weights)
		if err != nil {
			return fmt.Errorf("%s: %w", j.args[0], err)
		}
		return f.show(j, result)
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
	}, func(j *job) error {
		result, err := study.LaMoSca(j.Context(), chessfeatures.LaMoSca(), "lamosca, reconstructed", j.progress("lamosca", "moves"))
		if err != nil {
			return err
		}
		return f.show(j, result)
	}, &f)
}
