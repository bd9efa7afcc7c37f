package commands

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/uci"
	"kroo/engine/uci/client"
	"kroo/games/oware"
	"kroo/internal/revision"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/serve"
)

type uciArgs struct {
	rulesFlags
	weightsFlag
	bookFlag
	tablesFlag
	HashMB  int  `name:"hash" default:"64" range:"1..65536" group:"Search" help:"hash table of each searcher, in MiB"`
	Threads int  `name:"threads" default:"1" range:"1..256" group:"Search" help:"threads of the search"`
	Tuning  bool `name:"tuning" help:"also offer the settings of the search as options, for train tune"`
}

func uciCommand() *cobra.Command {
	var u uciArgs
	return withoutJSON(&cobra.Command{
		Use:   "uci",
		Short: "the engine as a UCI program on standard input and output",
		Long: "Speaks UCI on standard input and output, for GUIs and match programs.\n" +
			"Boards and moves are written as the game writes them; go doc\n" +
			"kroo/engine/uci describes every command.\n\n" +
			"Options (setoption name NAME value VALUE): " + strings.Join(uci.OptionNames(engine.Oware()), ", ") + ".\n" +
			"Send uci to see their defaults and ranges, and which ones the game has.",
		Example: "  printf 'position startpos moves Ff\\n" +
			"go depth 12\\n" +
			"quit\\n" +
			"' | train uci --weights weights.json --book none",
	}, func(j *job) error { return u.game().uci(j, &u) }, &u)
}

func (g gameOf[P]) uci(j *job, u *uciArgs) error {
	rules, err := u.rules()
	if err != nil {
		return err
	}
	search := engine.Config{HashMB: u.HashMB, Threads: u.Threads, Tables: engine.NoTables}
	if err := search.CheckMemory(1); err != nil {
		return err
	}
	e, err := engine.Open(j.Context(), g.kit,
		engine.Spec{Weights: u.Weights, Book: u.Book, OwnBook: true, Search: search}, rules)
	if err != nil {
		return err
	}
	defer e.Close()
	e.Spec.Search.Tables = u.Tables // opening them may take a second: the first search does it
	server, err := uci.New(e, uci.Config{Name: "Kroo", Version: revision.Get(), Seed: rand.Uint64(), Tuning: u.Tuning})
	if err != nil {
		return err
	}
	return server.Serve(j.Context(), j.InOrStdin(), j.OutOrStdout())
}

// started is when the program started.
var started = time.Now()

func cgCommand() *cobra.Command {
	var f struct {
		weightsFlag
		Rules    string          `name:"rules" default:"arena" choices:"arena abapa" help:"arena, or abapa for play with endgame tables"`
		MoveTime engine.Duration `name:"movetime" help:"time of every move but the first"`
		Nodes    int64           `name:"nodes" range:"0.." help:"limit each search by positions visited, instead of time (reproducible)"`
	}
	f.MoveTime.Duration = client.MoveOfArena
	return withoutJSON(&cobra.Command{
		Use:   "cg",
		Short: "the engine as a bot for the CodinGame arena",
		Long: `Plays one game of oware as a bot of the CodinGame arena: for each of
its moves it reads a line with the seeds of the twelve houses in the order of sowing, its
own six first, and prints the house to sow, 0 to 5 from its left. The first move
may take a second, every other --movetime; a tenth of both is reserved for communication.

The default rules are arena: abapa without repetition, over after 200 plies. Endgame
tables are for abapa only: --rules abapa uses them, and ends games on repetition.`,
		Example: "  echo 4 4 4 4 4 4 4 4 4 4 4 4 | train cg\n" +
			"  train match --a 'cmd=./train cg,protocol=cg' --b captures --rules arena --movetime 50ms --margin 50ms",
	}, func(j *job) error {
		rules, err := oware.ParseRules(f.Rules)
		if err != nil {
			return err
		}
		search := engine.Config{HashMB: 64, Nodes: f.Nodes}
		if err := search.CheckMemory(1); err != nil {
			return err
		}
		e, err := engine.Open(j.Context(), engine.Oware(), engine.Spec{Weights: f.Weights, Search: search}, f.Rules)
		if err != nil {
			return err
		}
		defer e.Close()
		s := uci.Arena{Player: &engine.Player[oware.Position]{Engine: e, Searcher: e.NewSearcher()}, Rules: rules}
		if f.Nodes == 0 {
			s.First, s.Move = max(client.FirstTurn, f.MoveTime.Duration), f.MoveTime.Duration
		}
		return s.Serve(j.Context(), j.InOrStdin(), j.OutOrStdout(), started)
	}, &f)
}

type serveArgs struct {
	engine.Config
	weightsFlag
	engineFlag
	bookFlag
	Dir       folderName `name:"dir" help:"folder of the runs, datasets, weights and books to show"`
	Listen    string     `name:"listen" default:"127.0.0.1:8080" help:"address to listen on; port 0 picks a free one"`
	Open      bool       `name:"open" help:"open a browser"`
	Searches  int        `name:"searches" default:"2" range:"1..1024" help:"searches at a time; others wait"`
	Hosts     []string   `name:"host" help:"host names for the server, in addition to localhost and addresses"`
	TokenFile string     `name:"token_file" help:"file with the token that visitors need"`
}

func serveCommand() *cobra.Command {
	a := serveArgs{Dir: "runs", Config: engine.Config{Nodes: serve.DefaultNodes}}
	return withoutJSON(&cobra.Command{
		Use:   "serve",
		Short: "show a board, books, datasets, weights and runs in a browser",
		Long: `Serves pages for a browser on this machine: a board to play and analyse on, the tree of an
opening book, datasets, weights, and the runs in --dir, which it can also start, stop and
resume. It reads the files of that folder and no others. The pages load nothing
from elsewhere. Ctrl-C stops.

An address that other machines can reach (--listen :8080), or another host name
(--host, for a proxy), needs a token: the command prints an address that contains one, a
new one each time unless --token-file names a file with one. There is no encryption: use
it only in a network that you trust.
` + engineHelp,
		Example: "  train serve --open\n" +
			"  train serve --dir runs --listen 127.0.0.1:9000\n" +
			"  train serve --listen :8080 --token-file token.txt\n" +
			"  train serve --engine 'cmd=./engine uci,option.Hash=16'",
	}, a.run, &a)
}

// checkAddress refuses an address without a port, or that is only one.
func (a *serveArgs) checkAddress() error {
	_, _, err := net.SplitHostPort(a.Listen)
	if err == nil {
		return nil
	}
	meant := "127.0.0.1:" + a.Listen
	if _, failed := strconv.ParseUint(a.Listen, 10, 16); failed != nil {
		meant = net.JoinHostPort(strings.Trim(a.Listen, "[]"), "8080")
	}
	return usagef("--listen is %q: did you mean %s? expected HOST:PORT, or :PORT for all addresses of this machine", a.Listen, meant)
}

func (a *serveArgs) run(j *job) error {
	c := serve.Config{Dir: string(a.Dir), Games: inspectGames(), Hosts: a.Hosts, Searches: a.Searches}
	var err error
	c.Spec, err = a.engineFlag.searcher(j, a.Weights, &a.Config)
	if err != nil {
		return err
	}
	c.Book = a.Book
	if err := cmp.Or(asUsage(c.Check()), c.Search.CheckMemory(c.Searches)); err != nil {
		return err
	}
	if err := a.checkAddress(); err != nil {
		return err
	}
	if j.given("dir") {
		_, err := vfs.Stat(c.Dir)
		if err != nil {
			return fmt.Errorf("--dir: %w: expected a folder of runs, datasets, weights or books", err)
		}
	}
	l, err := net.Listen("tcp", a.Listen)
	if err != nil {
		return fmt.Errorf("cannot answer on %s: %w: choose another address with --listen", a.Listen, err)
	}
	defer l.Close()
	c.Token, err = serve.Token(l.Addr(), c.Hosts, a.TokenFile)
	if err != nil {
		return err
	}
	s, err := serve.New(c)
	if err != nil {
		return err
	}
	defer s.Close()
	address := serve.Address(l.Addr(), c.Token)
	fmt.Fprintf(j.OutOrStdout(), "%s\n", address)
	j.note("showing %s and the board; Ctrl-C stops\n", c.Dir)
	if a.Open {
		remove, err := serve.Browse(address)
		defer remove()
		if err != nil {
			j.note("no browser could be opened (%v): open the address above\n", err)
		}
	}
	err = s.Serve(j.Context(), l)
	if dir := s.StoppedRun(); dir != "" {
		j.note("the run %s was stopped; finished work is kept. To resume: %s run --resume --dir %s\n",
			dir, wording.Program(), quotePath(dir))
	}
	return err
}
