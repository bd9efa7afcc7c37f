package commands

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kroo/endgame"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/study"
	values "kroo/features/chess"
	squares "kroo/features/othello"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/doc"
	"kroo/internal/memory"
	"kroo/internal/parallel"
	"kroo/report"
	"kroo/run/inspect"
)

func studyCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:     "study",
		Short:   "repeat tables of the literature; accuracy of scores",
		Example: "  train study orders --depth 9 --plots figures\n  train study algorithms --game tictactoe --depth 9",
	}, studyAlgorithms(), studyOrders(), studyTable(), studyCycles(), studyNoise(), studyAccuracy(), studySolve(), studyOthello(), studyLaMoSca())
}

// studySeed is the seed of the games that studies take their positions from.
const studySeed = 1

// studied is the game of a study.
type studied struct {
	rulesFlags
	plotsFlag
}

// recorded is the games to study instead of generated ones.
type recorded struct {
	Games string `name:"games" help:"all positions of the games in this file of records instead"`
}

// seed sets the seed of generated games.
func (r recorded) seed(j *job, sample *study.Sample) error {
	sample.Seed = studySeed
	if r.Games != "" {
		return j.notWith("--games", "positions")
	}
	return nil
}

// sampledStudy is the settings of a study of the positions of games.
type sampledStudy struct {
	studied
	recorded
}

// rules returns the rules of the flags, "" to leave them to the study.
func (s studied) rules() (string, error) {
	if rules, err := s.rulesFlags.rules(); err != nil || s.Rules+s.Size != "" {
		return rules, err
	}
	return "", nil
}

// run runs the study of a configuration on recorded games, or on generated ones if games is "".
func (s studied) run(j *job, config any, games string) error {
	result, err := s.game().study(j.Context(), config, games, j.progress(j.Name(), "searches"))
	return j.showStudy(s.plotsFlag, result, err)
}

// run is [studied.run] with the positions of a sample.
func (s sampledStudy) run(j *job, sample *study.Sample, config any) (err error) {
	if err := s.seed(j, sample); err != nil {
		return err
	}
	if sample.Rules, err = s.rules(); err != nil {
		return err
	}
	return s.studied.run(j, config, s.Games)
}

// study runs the study of a configuration.
func (g gameOf[P]) study(ctx context.Context, config any, recorded string, progress parallel.Progress) (study.Result, error) {
	s, err := subjectOf(g.kit, recorded)
	if err != nil {
		return nil, err
	}
	switch c := config.(type) {
	case *study.AlgorithmsConfig:
		if recorded != "" {
			return study.Plies(ctx, s, *c, progress)
		}
		return study.Algorithms(ctx, s, *c, progress)
	case *study.TablesConfig:
		return study.Tables(ctx, s, *c, progress)
	case *study.OrdersConfig:
		return study.Orders(ctx, s, *c, progress)
	}
	return nil, fmt.Errorf("no study has the configuration %T", config)
}

// subjectOf returns the subject of a study: the positions of generated games or, with a file of
// records, of these.
func subjectOf[P search.Position[P]](kit engine.Kit[P], recorded string) (study.Subject[P], error) {
	s, err := study.Of(kit)
	if err != nil || recorded == "" {
		return s, err
	}
	records, err := readGames(kit.Game, recorded)
	if err != nil {
		return s, err
	}
	if s, err = s.Recorded(records); err != nil {
		return s, fmt.Errorf("%s: %w", recorded, err)
	}
	return s, nil
}

// showStudy prints the result of a study, even if its figures cannot be written.
func (j *job) showStudy(plots plotsFlag, result study.Result, err error) error {
	if err != nil {
		return err
	}
	d := result.Doc()
	return errors.Join(j.saveFigures(string(plots.Plots), d), j.show("", d))
}

// saveFigures writes the figures of a document into a folder, unless that is "".
func (j *job) saveFigures(folder string, d *doc.Doc) error {
	if folder == "" {
		return nil
	}
	for _, figure := range d.Figures() {
		f, err := (*figure).Draw()
		if err != nil {
			return err
		}
		if err := j.claimInFolder(folder, figureFiles(folder, f.Name)); err != nil {
			return err
		}
		if _, err := report.SaveFigure(folder, f); err != nil {
			return err
		}
	}
	return nil
}

// figureFiles returns the two files of a figure.
func figureFiles(dir, name string) (list []output) {
	for _, ending := range []string{".svg", ".png"} {
		list = append(list, output{path: filepath.Join(dir, name+ending), kind: inspect.KindPicture, compared: true})
	}
	return list
}

func studyAlgorithms() *cobra.Command {
	var f struct {
		studied
		study.AlgorithmsConfig `name:"."`
		Games                  string `name:"games" help:"search the positions of the games in this file of records instead of the start"`
	}
	return newCommand(&cobra.Command{
		Use:   "algorithms",
		Short: "minimax, alpha-beta, negascout and the engine by depth, from the start",
		Long: `Searches the start position to increasing depth, by the textbooks' minimax, alpha-beta and
negascout, and by the engine; in oware also by published
listings, reconstructed. The default rules are those of the published table,
simple-to-end. It fails if the textbook searches find different values.

With --games it searches every position of recorded games to one depth instead (default
8), and prints the cost over the course of a game.`,
		Example: "  train study algorithms --budget 30s --plots figures\n  train study algorithms --depth 18 --budget 10m\n  train study algorithms --games games.ogn --depth 8",
	}, func(j *job) error {
		if err := (engine.Config{HashMB: f.HashMB}).CheckMemory(1); err != nil {
			return err
		}
		var err error
		if f.AlgorithmsConfig.Rules, err = f.rules(); err != nil {
			return err
		}
		if f.Games != "" {
			if err := j.notWith("--games", "budget"); err != nil {
				return err
			}
			if !j.given("depth") {
				f.Depth = 8
			}
		}
		return f.run(j, &f.AlgorithmsConfig, f.Games)
	}, &f)
}

func studyTable() *cobra.Command {
	var f struct {
		sampledStudy
		study.TablesConfig
	}
	f.Positions = 40
	return newCommand(&cobra.Command{
		Use:     "table",
		Short:   "replacement schemes of the hash table: hit rate and time",
		Example: "  train study table --depth 15 --sizes 256,4096 --plots figures",
	}, func(j *job) error {
		workers, largest := parallel.Workers(f.Workers), slices.Max(append(f.Sizes, 0))
		if err := memory.Check(fmt.Sprintf("%d hash tables of %d KiB", workers, largest), int64(workers)*int64(largest)<<10); err != nil {
			return err
		}
		return f.run(j, &f.Sample, &f.TablesConfig)
	}, &f)
}

func studyOrders() *cobra.Command {
	var f struct {
		sampledStudy
		study.OrdersConfig
	}
	f.Positions = 60
	return newCommand(&cobra.Command{
		Use:   "orders",
		Short: "leaves, branching and time of each move ordering by depth, against the minimal tree",
		Long: `Searches positions to every depth by alpha-beta with each move ordering, by the
best ordering after killer moves, after the history and with a hash table, and by the
engine at full width, and compares the leaves that they evaluate with those of the full
and of the minimal tree. Times are processor times.`,
		Example: "  train study orders --depth 7 --positions 100\n  train study orders --depth 13 --positions 20 --plots figures\n  train study orders --games games.ogn --depth 11 --full-depth 11",
	}, func(j *job) error {
		f.FullDepth = min(f.FullDepth, f.Depth)
		return f.run(j, &f.Sample, &f.OrdersConfig)
	}, &f)
}

// cycleBytes is the most memory that the study needs per position: three numbers, a call with up to
// six moves, and spare capacity of slices.
const cycleBytes = 128

func studyCycles() *cobra.Command {
	var f struct {
		plotsFlag
		Rules rules `name:"rules" default:"abapa" help:"abapa, awari, simple, simple-to-end or arena"`
		Seeds int   `name:"seeds" default:"15" range:"1..24" help:"most seeds in play"`
	}
	return newCommand(&cobra.Command{
		Use:   "cycles",
		Short: "positions of oware that a game can return to, by seeds in play",
		Long: `Finds the strongly connected components of the moves without capture, for each
number of seeds in play. A game that stays in one can last forever.`,
		Example: "  train study cycles --seeds 10\n  train study cycles --rules awari --seeds 12 --plots figures",
	}, func(j *job) error {
		if err := memory.Check(fmt.Sprintf("the components of %d seeds", f.Seeds), cycleBytes*int64(endgame.Positions(f.Seeds))); err != nil {
			return err
		}
		result, err := study.Cycles(j.Context(), oware.Rules(f.Rules), f.Seeds, j.progress("cycles", "positions"))
		return j.showStudy(f.plotsFlag, result, err)
	}, &f)
}

func studyNoise() *cobra.Command {
	var f struct {
		plotsFlag
		rulesFlag
		recorded
		weightsFlag
		engineFlag
		study.NoiseConfig
		HashMB int `name:"hash" default:"64" range:"1..65536" group:"Search" help:"hash table of each searcher, in MiB"`
	}
	f.Positions = 200
	return newCommand(&cobra.Command{
		Use:   "noise",
		Short: "error of scores by nodes, against a long search, and of means of iterations",
		Long: `Searches positions of generated or recorded games, and compares scores during the
search, after a half, a quarter, … of its nodes, with the final score: the score of the
last iteration, and the means of the last two, three and four.
` + engineHelp,
		Example: "  train study noise\n  train study noise --games games.ogn --nodes 1000000 --json\n  train study noise --engine 'cmd=./engine uci' --nodes 1000000 --positions 50",
	}, func(j *job) error {
		s, err := f.engineFlag.searcher(j, f.Weights, &engine.Config{Nodes: f.Nodes, HashMB: f.HashMB})
		if err != nil {
			return err
		}
		e, err := engine.Open(j.Context(), engine.Oware(), s, oware.Rules(f.rulesFlag.Rules).String())
		if err != nil {
			return err
		}
		defer e.Close()
		if err := e.CheckMemory(parallel.Workers(f.Workers)); err != nil {
			return err
		}
		if err := f.seed(j, &f.Sample); err != nil {
			return err
		}
		subject, err := subjectOf(engine.Oware(), f.Games)
		if err != nil {
			return err
		}
		result, err := study.Noise(j.Context(), subject, e, f.NoiseConfig, j.progress("noise", "positions"))
		return j.showStudy(f.plotsFlag, result, err)
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
	}, func(j *job) error {
		t, err := endgame.Find(f.Table, oware.Rules(f.Rules))
		if err != nil {
			return err
		}
		defer t.Close()
		s, err := f.engineFlag.searcher(j, f.Weights, &engine.Config{Nodes: slices.Max(f.Nodes), HashMB: f.HashMB, Tables: engine.NoTables})
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
		c.Fewest, c.Most, c.Seed, c.Player = f.Seeds.fewest, f.Seeds.most, studySeed, e.Eval.Name
		result, err := study.Accuracy(j.Context(), pool, t, c, j.progress("accuracy", "searches"))
		if err == nil {
			err = t.Err()
		}
		return j.showStudy(f.plotsFlag, result, err)
	}, &f)
}

func studySolve() *cobra.Command {
	var f struct {
		plotsFlag
		rulesFlag
		tableFlag
		study.ProofsConfig
		Algorithm string `name:"algorithm" default:"all" choices:"all pn" help:"all: every searcher; pn: proof numbers"`
	}
	return newCommand(&cobra.Command{
		Use:   "solve",
		Short: "tic-tac-toe, the whole game, by every searcher; or endgames of oware by proof-number search",
		Long: `Walks through all games of tic-tac-toe, counts positions and results, and solves
the game with every searcher of the program. It fails if two of them differ.

With --algorithm pn it proves endgames of oware by proof-number search: whether the
side to move wins random positions, by seeds in play, compared with the engine without
tables. It fails if one of them contradicts the endgame table.`,
		Example: "  train study solve\n  train study solve --plots figures\n  train study solve --algorithm pn --rules awari --json",
	}, func(j *job) error {
		if f.Algorithm == "pn" {
			return proofs(j, f.plotsFlag, f.Table, oware.Rules(f.Rules), f.ProofsConfig)
		}
		if err := j.notWith("--algorithm all", "rules", "table", "seeds", "positions", "nodes"); err != nil {
			return err
		}
		subject, err := study.Of(engine.TicTacToe())
		if err != nil {
			return err
		}
		result, err := study.Solve(j.Context(), subject, tictactoe.Descriptor().Rules[0])
		return j.showStudy(f.plotsFlag, result, err)
	}, &f)
}

// proofs runs the study of proof-number search.
func proofs(j *job, plots plotsFlag, table string, r oware.Rules, c study.ProofsConfig) error {
	t, err := endgame.Find(table, r)
	if err != nil {
		return err
	}
	defer t.Close()
	subject, err := study.Of(engine.Oware())
	if err != nil {
		return err
	}
	c.Seed = studySeed
	result, err := study.Proofs(j.Context(), subject, t, c, j.progress("solve", "levels"))
	return j.showStudy(plots, result, err)
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
		Args:    exactArgs(1, "weights of the set squares"),
	}, func(j *job) error {
		w, err := squares.Sets.Load(j.args[0])
		if err != nil {
			return err
		}
		result, err := study.Figure3(w)
		if err != nil {
			err = fmt.Errorf("%s: %w", j.args[0], err)
		}
		return j.showStudy(f, result, err)
	}, &f)
}

func studyLaMoSca() *cobra.Command {
	var f struct {
		plotsFlag
		Weights string `name:"weights" help:"a weights file of chess to compare with LaMoSca's values"`
	}
	return newCommand(&cobra.Command{
		Use:   "lamosca",
		Short: "repeat the two published sessions of LaMoSca, a minimax chess program",
		Long: `Repeats what LaMoSca v0.06 printed when it searched for its first move at levels 2
and 4, by its own rules and its evaluation as far as the printed values determine
it: that evaluation is reconstructed, not published. With --weights it also prints
the values of pieces and squares in a weights file of chess next to LaMoSca's.`,
		Example: "  train study lamosca\n  train study lamosca --weights chess.json",
	}, func(j *job) error {
		var fitted *study.FittedValues
		if f.Weights != "" {
			w, err := values.Sets.Load(f.Weights)
			if err != nil {
				return err
			}
			if fitted, err = study.CompareWithLaMoSca(f.Weights, w); err != nil {
				return fmt.Errorf("%s: %w", f.Weights, err)
			}
		}
		r, err := study.LaMoSca(j.Context(), values.LaMoSca(), "lamosca, reconstructed", j.progress("lamosca", "moves"))
		if err == nil {
			r.Tables = fitted
		}
		return j.showStudy(f.plotsFlag, r, err)
	}, &f)
}
