package commands

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/internal/doc"
	"kroo/internal/journal"
	"kroo/internal/spec"
	"kroo/match"
	"kroo/match/elo"
	"kroo/match/tune"
	"kroo/run/inspect"
)

type matchFlags struct {
	rulesFlags
	match.Config
}

const defaultNodes = 20_000

type matchArgs struct {
	matchFlags
	farmFlags
	A   string `name:"a" help:"first player, see train help players (default the game's own evaluation: in oware default)"`
	B   string `name:"b" help:"second player (the same)"`
	Out string `name:"output" flag:"output,o" file:"out" help:"file for the games (OGN)"`
}

func matchCommand() *cobra.Command {
	var m matchArgs
	m.Nodes = defaultNodes
	cmd := newCommand(&cobra.Command{
		Use:   "match",
		Short: "play two evaluations or programs against each other, with Elo and SPRT",
		Long: `Plays pairs of games from random short openings, sides swapped, and prints wins,
draws and losses of the first player, and the Elo difference with its 95 % interval.
With -o, finished pairs are kept in a log (OUTPUT.log): the same command resumes after an
interruption, or with more --pairs. A log of other players, other
options or another build of a program is refused; --force starts over. With
--opening-plies 0 and a player that varies, all games begin at the start position.

A player is a name, a weights file or KEY=VALUE,…: see ` + "`train help players`.",
		Example: `  train match --a weights.json --b captures --pairs 200 --nodes 20000 -o match.ogn
  train match --a new.json --b weights.json --pairs 2000 --farm embedded -o far.ogn
  train match --a new.json --b weights.json --pairs 20000 --sprt 0,10 -o test.ogn
  train match --a 'cmd=./other uci,movetime=20ms' --b weights=weights.json,movetime=20ms
  train match --a 'cmd=./new uci' --b 'cmd=./old uci' --tc 40/10+0.1 --pairs 500
  train match --a weights=w.json,book=book.bin --b weights=w.json,vary=on --opening-plies 0 --pairs 1000`,
	}, func(j *job) error { return m.game().match(j, &m) }, &m)
	forceHelp(cmd)
	spec.Flags(cmd.Flags(), &m.Config, "pairs")
	spec.Flags(cmd.Flags(), &m.Test)
	group(cmd, openingsCommand(), llrCommand(), tournamentCommand())
	cmd.Args = noPlayers
	return cmd
}

// noPlayers refuses players that are given as operands, and unknown subcommands.
func noPlayers(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := unknownCommand(cmd, args[0])
	if strings.Contains(err.Error(), "did you mean") {
		return err
	}
	players := "--a " + quotePath(args[0])
	if len(args) == 2 {
		players += " --b " + quotePath(args[1])
	}
	return usagef("%w; players are given by flags: `%s %s`", err, cmd.CommandPath(), players)
}

// forceHelp adds to the help of --force what else it does in commands that play games.
func forceHelp(cmd *cobra.Command) { cmd.Flags().Lookup("force").Usage += "; play all games again" }

func (g gameOf[P]) match(j *job, m *matchArgs) error {
	c, err := m.config(j, m.Out)
	if err != nil {
		return err
	}
	a, err := m.player("--a", m.A)
	if err != nil {
		return err
	}
	b, err := m.player("--b", m.B)
	if err != nil {
		return err
	}
	players := [2]engine.Spec{a, b}
	out, err := m.prepare(j, m.farmFlags, m.Out, &c, players[:])
	if err != nil {
		return err
	}
	sum, err := match.Run(j.Context(), g.kit, c, players[0], players[1], out, j.progress("match", "games"))
	j.endMeter(err == nil)
	if err == nil || sum.Score.Games() > 0 {
		if err := j.show("", sum.Doc(g.info().Unit)); err != nil {
			return err
		}
	}
	return withForce(err)
}

// player returns the player of a flag or an operand, or by default the game's own evaluation.
func (matchFlags) player(what, text string) (engine.Spec, error) {
	if text == "" {
		return engine.Spec{}, nil
	}
	p, err := engine.ParseSpec(text)
	if err != nil {
		return engine.Spec{}, usagef("%s: %v", what, err)
	}
	if err := cmp.Or(checkKind(p.Weights, what, inspect.KindWeights), checkKind(p.Book, what, inspect.KindBook)); err != nil {
		return engine.Spec{}, err
	}
	watch(&p.Program)
	return p, nil
}

// config returns the configuration of a match that writes its games to out; "" discards them.
func (m *matchFlags) config(j *job, out string) (match.Config, error) {
	c := m.Config
	if c.TimeControl.IsSet() && !j.hasLimit() { // the clock limits searches
		c.Nodes, c.Depth = 0, search.MaxPly
	}
	if out != "" {
		c.Log = out + ".log"
	}
	if err := j.limit(&c.Config); err != nil {
		return match.Config{}, err
	}
	if err := asUsage(c.Check()); err != nil {
		return match.Config{}, err
	}
	return c, nil
}

// prepare completes the rules of a match, claims its output and connects to the farm. It refuses
// players that the farm's workers cannot run.
func (m *matchFlags) prepare(j *job, f farmFlags, file string, c *match.Config, players []engine.Spec) (match.Output, error) {
	inputs := []string{c.Openings, c.Tables}
	for _, p := range players {
		inputs = slices.Concat(inputs, []string{p.Weights, p.Book, p.Search.Tables}, p.Program.Files())
		if err := asUsage(p.CheckFarm(f.Farm != "")); err != nil {
			return match.Output{}, err
		}
	}
	made, err := j.claimOutputs([]output{{path: file, kind: inspect.KindGames, log: c.Log}}, inputs...)
	if err != nil {
		return match.Output{}, err
	}
	out := match.Output{File: file, Made: made}
	if err := m.setRules(j, file, c); err != nil {
		return match.Output{}, err
	}
	c.Farm, err = j.dial(f)
	if err != nil {
		return match.Output{}, err
	}
	return out, nil
}

// setRules completes the rules of a match, and makes it start over with --force. It refuses rules
// under which games may never end.
func (m *matchFlags) setRules(j *job, out string, c *match.Config) error {
	restart, err := j.restart(out)
	if err != nil {
		return err
	}
	rules, err := m.rules()
	if err != nil {
		return err
	}
	c.Restart, c.Rules = restart, rules
	if c.MaxPlies == 0 && slices.Contains(m.game().info().Endless, c.Rules) {
		return usagef("games under %s rules may never end: give --max-plies", c.Rules)
	}
	return nil
}

// withForce adds what --force does to the error for the log of another match.
func withForce(err error) error {
	if errors.Is(err, journal.ErrOther) {
		return fmt.Errorf("%w; --force plays all games again", err)
	}
	return err
}

type tournamentArgs struct {
	matchFlags
	farmFlags
	Gauntlet int    `name:"gauntlet" range:"0.." help:"the first N players play only the others (default everyone plays everyone)"`
	Out      string `name:"output" flag:"output,o" file:"out" help:"file for the games (OGN)"`
}

func tournamentCommand() *cobra.Command {
	var t tournamentArgs
	t.Pairs, t.Nodes = 20, defaultNodes
	cmd := newCommand(&cobra.Command{
		Use:   "tournament PLAYER PLAYER…",
		Short: "play several players against each other: cross table and ratings",
		Long: `Plays --pairs pairs of games between every two players, each with the same
openings, or with --gauntlet N between the first N and the others. Prints the
cross table, the strongest first, with ratings (of mean 0), their 95 %
intervals, and the likelihood that a player is stronger than the next.
With -o, finished pairs are kept in a folder (OUTPUT.log): the same command resumes
after an interruption, or with more --pairs.

A player is a name, a weights file or KEY=VALUE,…: see ` + "`train help players`.",
		Example: `  train match tournament captures weights.json patterns.weights --pairs 50 -o t.ogn
  train match tournament new.json old1.json old2.json --gauntlet 1 --movetime 20ms`,
		Args: cobra.ArbitraryArgs,
	}, func(j *job) error { return t.game().tournament(j, &t) }, &t)
	forceHelp(cmd)
	spec.Flags(cmd.Flags(), &t.Config, "pairs")
	return cmd
}

func (g gameOf[P]) tournament(j *job, t *tournamentArgs) error {
	config, err := t.config(j, t.Out)
	if err != nil {
		return err
	}
	c := match.TournamentConfig{Config: config, Gauntlet: t.Gauntlet}
	for _, text := range j.args {
		player, err := t.player("a player", text)
		if err != nil {
			return err
		}
		c.Players = append(c.Players, player)
	}
	if err := asUsage(c.Check()); err != nil {
		return err
	}
	out, err := t.prepare(j, t.farmFlags, t.Out, &c.Config, c.Players)
	if err != nil {
		return err
	}
	sum, err := match.RunTournament(j.Context(), g.kit, c, out, j.progress("tournament", "games"))
	j.endMeter(err == nil)
	if sum.Standings != nil {
		if err := j.show("", sum.Doc()); err != nil {
			return err
		}
	}
	return withForce(err)
}

type openingsArgs struct {
	match.SuiteConfig
	engine.Config
	rulesFlags
	weightsFlag
	Out string `name:"output" flag:"output,o" file:"made" help:"file for the openings (OGN)"`
}

func openingsCommand() *cobra.Command {
	a := openingsArgs{Config: engine.Config{HashMB: 1, Nodes: defaultNodes}}
	return newCommand(&cobra.Command{
		Use:   "openings",
		Short: "make a suite of balanced openings for matches",
		Long: `Searches the positions after all lines of --plies plies from the start, each
position once, and writes those whose score is within --bound for either side.
With --n it draws that many at random, and searches no more than necessary.
With --nodes or --depth the same command always writes the same file.`,
		Example: `  train match openings --plies 4 --bound 50 --nodes 20000 -o openings.ogn
  train match openings --plies 8 --bound 50 --nodes 20000 --n 500 -o openings.ogn`,
	}, func(j *job) error { return a.game().openings(j, &a) }, &a)
}

func (g gameOf[P]) openings(j *job, a *openingsArgs) error {
	if err := j.limit(&a.Config); err != nil {
		return err
	}
	suite := a.SuiteConfig
	var err error
	suite.Made, err = j.claimOutputs([]output{{path: a.Out, kind: inspect.KindGames}}, a.Weights, a.Tables)
	if err != nil {
		return err
	}
	rules, err := a.rules()
	if err != nil {
		return err
	}
	e, err := engine.Open(j.Context(), g.kit, engine.Spec{Weights: a.Weights, Search: a.Config}, rules)
	if err != nil {
		return err
	}
	defer e.Close()
	n, err := match.MakeOpenings(j.Context(), e, suite, a.Out, j.progress("openings", "openings"))
	if err != nil {
		return err
	}
	return j.print(map[string]any{"file": a.Out, "openings": n}, "%d openings in %s\n", n, a.Out)
}

func llrCommand() *cobra.Command {
	var a struct {
		elo.SPRT
		Wins   int   `name:"wins" range:"0..1000000000000" help:"games won"`
		Draws  int   `name:"draws" range:"0..1000000000000" help:"games drawn"`
		Losses int   `name:"losses" range:"0..1000000000000" help:"games lost"`
		Pairs  []int `name:"pairs" range:"0..1000000000000" help:"five counts of pairs, instead of counts of games"`
	}
	return newCommand(&cobra.Command{
		Use:   "llr",
		Short: "the log-likelihood ratio of a sequential test, for results from elsewhere",
		Long: `Prints Elo with its 95 % interval and the state of a sequential probability ratio
test for given results, and last the log-likelihood ratio alone. --pairs takes the numbers
of pairs of games with 0, ½, 1, 1½ and 2 points; without it, games count as independent.`,
		Example: `  train match llr --wins 36433 --losses 36027 --draws 68692 --sprt 0,2 --model normalized
  train match llr --pairs 100,200,400,220,110 --sprt 0,5`,
	}, func(j *job) error {
		if !a.Given() {
			return usagef("no test given: name its two bounds, such as --sprt 0,5")
		}
		if err := asUsage(a.Check()); err != nil {
			return err
		}
		var found struct {
			LLR   float64   `json:"llr"`
			Score elo.Score `json:"score"`
		}
		d := &doc.Doc{}
		switch counts := append(a.Pairs, a.Wins, a.Draws, a.Losses); {
		case slices.Max(counts) == 0:
			return usagef("no results: give --wins, --draws and --losses, or the five counts of --pairs")
		case len(a.Pairs) == 0:
			found.LLR, found.Score = a.LLRGames(a.Wins, a.Draws, a.Losses), elo.Score{
				Wins:   a.Wins,
				Draws:  a.Draws,
				Losses: a.Losses,
			}
			lead, in := elo.GamesElo(a.Wins, a.Draws, a.Losses)
			d.Facts = doc.Facts("score", fmt.Sprintf("%.2f %%", 100*found.Score.Mean()), "Elo",
				in.Text(lead, elo.SignedFormat(2)))
		case len(a.Pairs) != 5:
			return usagef("--pairs has %d counts: expected five counts, such as 100,200,400,220,110", len(a.Pairs))
		default:
			pairs := [5]int(a.Pairs)
			found.LLR, found.Score = a.LLR(pairs), elo.ScoreOfPairs(pairs)
			d.Facts = match.EloFacts(found.Score, 2)
		}
		d.Value, d.Facts = found, append(d.Facts, doc.Fact{Name: "test", Value: a.Explain(found.LLR)})
		d.Addf("%.4f", found.LLR)
		return j.show("", d)
	}, &a)
}

type tuneArgs struct {
	matchFlags
	Player     string `name:"player" help:"the program, see train help players: cmd=PROGRAM,option.NAME=VALUE…"`
	Iterations int    `name:"iterations" default:"10000" range:"1..1000000" help:"pairs of games"`
	Ahead      int    `name:"ahead" default:"8" range:"1..1024" help:"pairs played before the result of one counts"`
	Verify     int    `name:"verify" range:"0..1000000" help:"then play this number of pairs of the tuned values against the start (default none)"`
	Out        string `name:"output" flag:"output,o" file:"made" help:"file for the values (JSON)"`
}

func tuneCommand() *cobra.Command {
	var a tuneArgs
	a.Nodes = defaultNodes
	cmd := newCommand(&cobra.Command{
		Use:   "tune PARAMETERS.toml",
		Short: "tune numeric options of a program by games against itself",
		Long: `Tunes options of a program that speaks UCI by SPSA (Spall 1998): every iteration
moves all options a step up or down at random, plays a pair of games
of these values against the opposite ones, and moves towards the winner.

PARAMETERS.toml has a table for each option:
  [[parameter]]
  option = "Contempt"
  start = 0        # start, min and max default to what the program announces
  min = -100
  max = 100
  c_end = 10       # the step of the last iterations
  r_end = 0.002    # one more game won moves the last values by r_end times c_end

Finished pairs are kept in a journal (OUTPUT.log): the same command resumes after an
interruption. With limits by nodes the values depend on --seed and
--ahead, not on --workers; at most --ahead pairs are played at a time.
With --verify N the tuned values then play up to N pairs against the start.
"train inspect OUTPUT --html PAGE" draws a curve of each option.`,
		Example: `  train tune margins.toml --player 'cmd=./engine uci' --iterations 20000 --nodes 10000 -o tuned.json
  train tune margins.toml --player 'cmd=./engine,option.Hash=16' --movetime 20ms -o tuned.json --verify 20000 --sprt 0,10`,
	}, func(j *job) error { return a.game().tune(j, &a) }, &a)
	forceHelp(cmd)
	spec.Flags(cmd.Flags(), &a.Test)
	return cmd
}

func (g gameOf[P]) tune(j *job, a *tuneArgs) error {
	c, err := a.tuning(j)
	if err != nil {
		return err
	}
	inputs := slices.Concat([]string{j.args[0], c.Openings, c.Tables}, c.Player.Program.Files())
	out := output{path: a.Out, kind: inspect.KindTuning, compared: true, log: c.Log}
	if _, err := j.claimOutputs([]output{out}, inputs...); err != nil {
		return err
	}
	if err := a.setRules(j, a.Out, &c.Config); err != nil {
		return err
	}
	res, err := tune.Run(j.Context(), g.kit, c, j.progress("tuning", "pairs"))
	if _, unfit := errors.AsType[tune.Unfit](err); unfit {
		return fmt.Errorf("%s: %w", j.args[0], err)
	}
	if err := withForce(err); err != nil {
		return err
	}
	if err := res.Write(a.Out); err != nil {
		return err
	}
	fmt.Fprint(j.text(), res.Doc().Text(a.Out))
	verified, err := g.verify(j, a, c, res)
	if err != nil {
		return err
	}
	if verified == nil {
		return j.print(res, "%s", "")
	}
	return j.print(struct {
		*tune.Result
		Verified any `json:"verified"`
	}{res, verified.Value}, "\n%s", verified.Text(""))
}

// tuning returns the configuration, with the parameters of the file.
func (a *tuneArgs) tuning(j *job) (tune.Config, error) {
	a.Pairs = a.Iterations
	config, err := a.config(j, a.Out)
	if err != nil {
		return tune.Config{}, err
	}
	player, err := a.player("--player", a.Player)
	if err != nil {
		return tune.Config{}, err
	}
	c := tune.Config{Config: config, Player: player, Ahead: a.Ahead}
	if c.Player.Program.Path == "" {
		return tune.Config{}, usagef("--player %s: expected a program, cmd=PROGRAM", a.Player)
	}
	c.Parameters, err = tune.ReadParameters(j.args[0])
	if err != nil {
		return tune.Config{}, err
	}
	return c, nil
}

// verify plays the tuned values against the start, if asked for, and returns the result.
func (g gameOf[P]) verify(j *job, a *tuneArgs, c tune.Config, res *tune.Result) (*doc.Doc, error) {
	if a.Verify == 0 {
		return nil, nil
	}
	tuned, start := c.Player, c.Player
	tuned.Name, start.Name = "tuned", "start"
	tuned.Program.Options = slices.Concat(tuned.Program.Options, res.Options())
	start.Program.Options = slices.Concat(start.Program.Options, res.Starts())
	c.Pairs, c.Log = a.Verify, a.Out+".verify.log"
	c.Seed++ // other openings
	sum, err := match.Run(j.Context(), g.kit, c.Config, tuned, start, match.Output{}, j.progress("match", "games"))
	if err != nil {
		return nil, resumable{err, commandLine("--force"), c.Log} // the values are written
	}
	return sum.Doc(g.info().Unit), nil
}
