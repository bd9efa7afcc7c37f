package commands

import (
	"cmp"
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
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/match"
	"kroo/run/inspect"
)

// Games returns the games of Kroo's own program.
func Games() []Game {
	return []Game{GameOf(engine.Oware()), GameOf(engine.TicTacToe()), GameOf(engine.Othello()), GameOf(engine.Chess())}
}

// allGames is the games of the program. The first is the default of commands and files.
var allGames = Games()

// Game is a game for the commands, made by [GameOf].
type Game interface{ game }

// GameOf returns the game of a kit. The kit needs a description, evaluations, and the plain one of
// them; a command that needs more returns an error.
func GameOf[P search.Position[P]](kit engine.Kit[P]) Game { return gameOf[P]{kit} }

// gameOf is a game with its type of positions. The part of a command that depends on that type is
// a method, in the file of the command.
type gameOf[P search.Position[P]] struct{ kit engine.Kit[P] }

// game is a [gameOf] with any type of positions.
type game interface {
	info() games.Info
	inspectGame() inspect.Game
	names() names

	adopt(j *job, a *adoptArgs) error
	analyse(j *job, a *analyseArgs) error
	calibrate(j *job, a *calibrateArgs, weights string, files []string) error
	checkEngine(j *job) error
	features(j *job, f *featuresArgs, meta datasets.Meta) error
	fit(j *job, f *fitArgs, meta datasets.Meta) error
	label(j *job, a *labelArgs) error
	listFeatures(j *job) error
	match(j *job, m *matchArgs) error
	measure(j *job, a *evaluateArgs, rules string) error
	openings(j *job, a *openingsArgs) error
	openPairs(s match.PairsSpec, files farm.Files, threads int) (farm.Doer, error)
	openSearches(s farm.EngineSpec, files farm.Files, threads int) (farm.Doer, error)
	perft(j *job, f *perftArgs) error
	play(j *job, f *playArgs) error
	sample(j *job, a *sampleArgs) error
	split(j *job, strict bool) error
	study(j *job, algorithms *study.AlgorithmsConfig, orders *study.OrdersConfig, recorded string) (study.Result, error)
	tournament(j *job, t *tournamentArgs) error
	tune(j *job, a *tuneArgs) error
	uci(j *job, u *uciArgs) error
}

type names struct {
	evaluations []string
	sets        []features.Info // antisymmetric
	patterns    string          // the default set of pattern features, "" if the game has none
}

func (g gameOf[P]) info() games.Info { return g.kit.Game.Info }

func (g gameOf[P]) names() names {
	n := names{evaluations: g.kit.Names}
	if patterns := g.kit.Sets.Patterns; patterns != nil {
		n.patterns = patterns.DefaultSet
	}
	for _, s := range g.kit.Sets.All {
		n.sets = append(n.sets, s.Info)
	}
	return n
}

func (g gameOf[P]) inspectGame() inspect.Game {
	sets := g.kit.Sets
	sets.Game = g.kit.Game
	return inspect.GameOf(sets)
}

// inspectGames returns the games whose files inspect reads.
func inspectGames() (all inspect.Games) {
	for _, g := range allGames {
		all = append(all, g.inspectGame())
	}
	return all
}

func infos() (all []games.Info) {
	for _, g := range allGames {
		all = append(all, g.info())
	}
	return all
}

func gameNames() (names []string) {
	for _, i := range infos() {
		names = append(names, i.Name)
	}
	return names
}

// allEvaluations returns the names of the evaluations of all games.
func allEvaluations() []string {
	all := []string{engine.DefaultName}
	for _, g := range allGames {
		all = append(all, g.names().evaluations...)
	}
	return all
}

func gameNamed(name string) (game, error) {
	for _, g := range allGames {
		if g.info().Name == name {
			return g, nil
		}
	}
	return nil, fmt.Errorf("the game is %q: %s", name, wording.Expect(name, gameNames()))
}

// gameOfDataset returns the game and the description of a dataset.
func gameOfDataset(path string) (game, datasets.Meta, error) {
	m, err := datasets.ReadManifest(path)
	if err != nil {
		return nil, datasets.Meta{}, err
	}
	g, err := gameNamed(m.Meta.Game)
	if err != nil {
		return nil, datasets.Meta{}, err
	}
	return g, m.Meta, nil
}

// gameFlag is the game of a command, by default the first.
type gameFlag struct {
	Game gameName `name:"game" help:"{games}"`
}

func (f gameFlag) game() game {
	if i := slices.Index(gameNames(), string(f.Game)); i > 0 {
		return allGames[i]
	}
	return allGames[0]
}

type gameName string

// UnmarshalText implements [encoding.TextUnmarshaler].
func (n *gameName) UnmarshalText(name []byte) error {
	if !slices.Contains(gameNames(), string(name)) {
		return errors.New(wording.Expect(string(name), gameNames()))
	}
	*n = gameName(name)
	return nil
}

// MarshalText implements [encoding.TextMarshaler].
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

// gameOf returns the game of the flag, or else of a file of records.
func (f recordedGameFlag) gameOf(path string) (game, error) {
	if f.Game != nil {
		return gameFlag{*f.Game}.game(), nil
	}
	head, err := vfs.ReadStart(path, 4096)
	if err != nil {
		return nil, err
	}
	return gameNamed(games.DetectGame(string(head), infos()).Name)
}

type rulesFlags struct {
	gameFlag
	Rules string `name:"rules" help:"rule set: {rules} (default the game's first)"`
}

// rules returns the rules of the flags, or the game's default.
func (f rulesFlags) rules() (string, error) {
	rules, err := f.given()
	if err != nil {
		return "", err
	}
	return cmp.Or(rules, f.game().info().Rules[0]), nil
}

// given returns the rules of the flags, or "".
func (f rulesFlags) given() (string, error) {
	if f.Rules != "" {
		if err := asUsage(f.game().info().CheckRules(f.Rules)); err != nil {
			return "", err
		}
	}
	return f.Rules, nil
}

// placeholders replaces {game} and others in the help of flags by what the games of the program have.
func placeholders() *strings.Replacer {
	var sets []string
	for _, i := range infos() {
		if len(i.Rules) > 1 {
			sets = append(sets, wording.List(i.Rules, "or")+" for "+i.Name)
		}
	}
	return strings.NewReplacer("{games}", wording.List(gameNames(), "or"), "{game}", gameNames()[0], "{levels}",
		strings.Join(engine.LevelNames(), ", "), "{rules}", strings.Join(sets, "; "))
}

// positionOf parses the board of a flag or operand; "" is the start.
func positionOf[P games.Position[P]](g *games.Game[P], rules, what, board string) (P, error) {
	if board == "" {
		return g.Start(rules)
	}
	p, err := g.Parse(rules, board)
	if err != nil {
		err = usagef("%s: %v", what, err)
	}
	return p, err
}

// ofAnotherGame adds a hint to the error for a board of a table that does not name its game.
func ofAnotherGame(err error) error {
	if _, bad := errors.AsType[datasets.BadBoard](err); bad {
		return fmt.Errorf("%w; boards of another game need --game", err)
	}
	return err
}
