package commands

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/study"
	"kroo/farm"
	"kroo/features"
	"kroo/games"
	"kroo/internal/parallel"
	"kroo/internal/vfs"
	"kroo/match"
	"kroo/run/inspect"
)

// Games are the games of Kroo's own program.
func Games() []Game {
	return []Game{GameOf(engine.Oware()), GameOf(engine.TicTacToe()), GameOf(engine.Othello()), GameOf(engine.Chess())}
}

// allGames are the games of the program: commands, help and messages take them from here. The
// first is the one of commands and files that name none.
var allGames = Games()

// Game is a game as commands see it. [GameOf] makes one.
type Game interface{ game }

// GameOf is the game of a kit. Commands do for it what they do for any game; of the kit only the
// description, the evaluations and the plain one of them have to be there: a command that needs
// what the kit lacks says so.
func GameOf[P search.Position[P]](kit engine.Kit[P]) Game { return gameOf[P]{kit} }

// gameOf is a game with the type of its positions. What a command does for any game is a
// method of it, in the file of the command.
type gameOf[P search.Position[P]] struct{ kit engine.Kit[P] }

// game is a game as commands see it, without the type of its positions.
type game interface {
	info() games.Info
	inspected() inspect.Game
	names() names

	adopt(j *job, a *adoptArgs) error
	analyse(j *job, a *analyseArgs) error
	calibrate(j *job, a *calibrateArgs, weights string, files []string) error
	checkEngine(j *job) error
	features(j *job, f *featuresArgs, meta datasets.Meta) error
	fit(j *job, f *fitArgs, meta datasets.Meta) error
	inspectDataset(j *job, a *inspectArgs, rules string) error
	label(j *job, a *labelArgs, rules string) error
	listFeatures(j *job) error
	match(j *job, m *matchArgs) error
	measure(j *job, a *evaluateArgs, rules string) error
	openings(j *job, a *openingsArgs) error
	openPairs(s match.PairsSpec, files farm.Files, threads int) (farm.Doer, error)
	openSearches(s farm.EngineSpec, files farm.Files, threads int) (farm.Doer, error)
	perft(j *job, f *perftArgs) error
	play(j *job, f *playArgs) error
	readsBoards(ctx context.Context, table, column string) bool
	sample(j *job, a *sampleArgs) error
	split(j *job, strict bool) error
	study(ctx context.Context, config any, recorded string, progress parallel.Progress) (study.Result, error)
	tournament(j *job, t *tournamentArgs) error
	tune(j *job, a *tuneArgs) error
	uci(j *job, u *uciArgs) error
}

// names are those of a game's evaluations and features.
type names struct {
	evaluations []string
	sets        []features.Info // antisymmetric
	patterns    string          // the usual set of pattern features, "" for a game without any
}

func (g gameOf[P]) info() games.Info { return g.kit.Game.Info }

func (g gameOf[P]) names() names {
	n := names{evaluations: g.kit.Names, patterns: g.kit.Patterns.DefaultSet}
	for _, s := range g.kit.Sets.All {
		n.sets = append(n.sets, s.Info)
	}
	return n
}

func (g gameOf[P]) inspected() inspect.Game {
	sets := g.kit.Sets
	sets.Game = g.kit.Game
	return inspect.GameOf(sets, g.kit.Patterns)
}

// inspected are the games whose files there may be.
func inspected() (all inspect.Games) {
	for _, g := range allGames {
		all = append(all, g.inspected())
	}
	return all
}

// infos are the descriptions of the games.
func infos() (all []games.Info) {
	for _, g := range allGames {
		all = append(all, g.info())
	}
	return all
}

// gameNames lists the games for help and messages.
func gameNames() (names []string) {
	for _, i := range infos() {
		names = append(names, i.Name)
	}
	return names
}

// gameNamed finds the game of a file.
func gameNamed(name string) (game, error) {
	for _, g := range allGames {
		if g.info().Name == name {
			return g, nil
		}
	}
	return nil, fmt.Errorf("the game is %q: expected %s", name, games.OrList(gameNames()))
}

// gameOfDataset finds the game and the rules of a dataset.
func gameOfDataset(path string) (game, datasets.Meta, error) {
	m, err := datasets.ReadManifest(path)
	if err != nil {
		return nil, m.Meta, err
	}
	g, err := gameNamed(m.Meta.Game)
	return g, m.Meta, err
}

// gameFlag is the game of a command; "" is the first.
type gameFlag struct {
	Game gameName `name:"game" help:"{games}"`
}

// game is that of the flag.
func (f gameFlag) game() game {
	if i := slices.Index(gameNames(), string(f.Game)); i > 0 {
		return allGames[i]
	}
	return allGames[0]
}

// gameName is the name of one of the games.
type gameName string

// UnmarshalText reads the flag.
func (n *gameName) UnmarshalText(name []byte) error {
	if !slices.Contains(gameNames(), string(name)) {
		return errors.New("expected " + games.OrList(gameNames()))
	}
	*n = gameName(name)
	return nil
}

// MarshalText is the name.
func (n gameName) MarshalText() ([]byte, error) {
	if n == "" {
		return []byte(allGames[0].info().Name), nil
	}
	return []byte(n), nil
}

// recordedGameFlag is the game of a command that reads records.
type recordedGameFlag struct {
	Game *gameName `name:"game" help:"{games} (default the game of the records)"`
}

// of returns the game of a file of records: the one of the flag, else the one named in the file.
func (f recordedGameFlag) of(path string) (game, error) {
	if f.Game != nil {
		return gameFlag{*f.Game}.game(), nil
	}
	head, err := vfs.ReadStart(path, 4096)
	if err != nil {
		return nil, err
	}
	return gameNamed(games.OfRecords(string(head), infos()).Name)
}

// ofGame refuses a dataset of another game than --game asks for, if it is given.
func (j *job) ofGame(path string, f gameFlag) error {
	if !j.given("game") {
		return nil
	}
	m, err := datasets.ReadManifest(path)
	if asked := f.game().info().Name; err == nil && m.Meta.Game != asked {
		err = fmt.Errorf("%s contains %s: expected %s, the game of --game", path, m.Meta.Game, asked)
	}
	return err
}

// rulesFlags are the rules of a game: those named, or those for boards of a size.
type rulesFlags struct {
	gameFlag
	Rules string `name:"rules" help:"rule set: {rules} (default the game's first)"`
	Size  string `name:"size" help:"{sizes}"`
}

// rules are those of the flags, or the game's default.
func (f rulesFlags) rules() (string, error) {
	info, rules := f.game().info(), f.Rules
	if f.Size != "" {
		if rules != "" {
			return "", usagef("--size is %s: expected one of --rules and --size, once", f.Size)
		}
		of := infos()[slices.IndexFunc(infos(), hasSizes)]
		i := slices.Index(of.Sizes, f.Size)
		if i < 0 {
			return "", usagef("--size is %s: expected %s", f.Size, games.OrList(of.Sizes))
		}
		rules = of.Rules[i]
	}
	if rules == "" {
		return info.Rules[0], nil
	}
	if err := info.CheckRules(rules); err != nil {
		return "", usageError{err}
	}
	return rules, nil
}

func hasSizes(i games.Info) bool { return i.Sizes != nil }

// words are what help says of the games of the program, by how the tags of flags have it.
func words() *strings.Replacer {
	var sets []string
	sizes := ""
	for _, i := range infos() {
		if len(i.Rules) > 1 {
			sets = append(sets, games.OrList(i.Rules)+" for "+i.Name)
		}
		if hasSizes(i) && sizes == "" {
			sizes = games.OrList(i.Sizes) + ": the board of " + i.Name + ", as --rules " + games.OrList(i.Rules)
		}
	}
	return strings.NewReplacer("{games}", games.OrList(gameNames()), "{game}", gameNames()[0], "{levels}", strings.Join(engine.LevelNames(), ", "), "{rules}", strings.Join(sets, "; "), "{sizes}", sizes)
}

// flagsFor are the flags --game and --rules of a match, where they are not the default, and one
// that ends its games.
func flagsFor(info games.Info, rules string) (flags string) {
	if info.Name != allGames[0].info().Name {
		flags += " --game " + info.Name
	}
	if rules != info.Rules[0] {
		flags += " --rules " + rules
	}
	if slices.Contains(info.Endless, rules) {
		flags += " --max-plies 200"
	}
	return flags
}

// positionOf reads a board, for a game under rules; no board is the start.
func positionOf[P games.Position[P]](g *games.Game[P], rules, board string) (P, error) {
	if board == "" {
		return g.Start(rules)
	}
	p, err := g.Parse(rules, board)
	if err != nil {
		return p, usagef("--position: %v", err)
	}
	return p, nil
}
