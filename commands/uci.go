package commands

import (
	"math/rand/v2"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/uci"
	"kroo/internal/revision"
)

type uciArgs struct {
	rulesFlags
	weightsFlag
	bookFlag
	tablesFlag
	HashMB  int  `name:"hash" default:"64" range:"1..4096" group:"Search" help:"hash table of each searcher, in MiB"`
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
			"Send uci to see their defaults and ranges, and which ones the game has.\n\n" + largerTables,
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
