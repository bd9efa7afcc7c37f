package commands

import (
	"fmt"
	"net"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/internal/wording"
	"kroo/serve"
)

// serveFlags are those of the command serve.
type serveFlags struct {
	config            serve.Config
	listen, tokenFile string
	open              bool
	engine            engineFlag
}

func serveCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "show a board, books, datasets, weights and runs in a browser",
		Long: `Serves pages for a browser on this machine: a board to play and analyse on, the tree of an
opening book, datasets, weights, and the runs in --dir, which it can also start, stop and
resume. It reads the files of that folder and no others. The pages load nothing
from elsewhere. Ctrl-C stops.

An address that other machines can reach (--listen :8080), or another host name
(--host, for a proxy), needs a token: the command prints an address that contains one, a
new one each time unless --token-file names a file with one. There is no encryption: use
it only in a network that you trust.`,
		Example: "  train serve --open\n  train serve --dir runs --listen 127.0.0.1:9000\n  train serve --listen :8080 --token-file token.txt\n  train serve --engine 'cmd=./engine uci,option.Hash=16'",
		Args:    exactArgs(0, "no operands"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return serveWith(cmd, f) },
	}
	folderFlag(cmd, &f.config.Dir, "dir", "runs", "folder of the runs, datasets, weights and books to show")
	cmd.Flags().StringVar(&f.listen, "listen", "127.0.0.1:8080", "address to answer on; port 0 is any that is free")
	cmd.Flags().BoolVar(&f.open, "open", false, "open a browser")
	weightsFlag(cmd, &f.config.Weights)
	cmd.Flags().StringVar(&f.config.Book, "book", "", "opening book of the engine: a file or none (default the program's own)")
	cmd.Flags().IntVar(&f.config.Searches, "searches", 2, "searches at a time; others wait")
	cmd.Flags().Int64Var(&f.config.Nodes, "nodes", 2_000_000, "most positions that a search visits (no limit with --depth or --movetime alone)")
	intFlag(cmd, &f.config.Depth, "depth", 0, 0, search.MaxPly, "most plies of a search")
	cmd.Flags().DurationVar(&f.config.MoveTime, "movetime", 0, "most time of a search, up to 29s")
	cmd.Flags().IntVar(&f.config.HashMB, "hash", 16, "hash table of each search, in MiB")
	haveBounds(cmd, "searches", "hash")
	cmd.Flags().StringSliceVar(&f.config.Hosts, "host", nil, "host names for the server, in addition to localhost and addresses")
	f.engine.add(cmd)
	cmd.Flags().StringVar(&f.tokenFile, "token-file", "", "file with the token that visitors have to know")
	return cmd
}

func serveWith(cmd *cobra.Command, f serveFlags) error {
	if err := f.engine.take(cmd, "weights", "hash"); err != nil {
		return err
	}
	if err := noZeros(cmd.Flags(), "depth", "movetime"); err != nil {
		return err
	}
	if (f.config.Depth > 0 || f.config.MoveTime > 0) && !cmd.Flags().Changed("nodes") {
		f.config.Nodes = 0
	}
	if err := f.config.Check(); err != nil {
		return usageError{err}
	}
	if err := (engine.Config{HashMB: f.config.HashMB}).CheckMemory(f.config.Searches); err != nil {
		return err
	}
	l, err := net.Listen("tcp", f.listen)
	if err != nil {
		return fmt.Errorf("cannot answer on %s: %w: choose another address with --listen", f.listen, err)
	}
	defer l.Close()
	if f.config.Token, err = serve.Token(l.Addr(), f.config.Hosts, f.tokenFile); err != nil {
		return err
	}
	f.config.Games = inspected()
	f.config.Program = f.engine.program
	s, err := serve.New(f.config)
	if err != nil {
		return err
	}
	defer s.Close()
	address := serve.Address(l.Addr(), f.config.Token)
	fmt.Fprintf(cmd.OutOrStdout(), "%s\n", address)
	fmt.Fprintf(cmd.ErrOrStderr(), "showing %s and the board; Ctrl-C stops\n", f.config.Dir)
	if f.open {
		remove, err := serve.Browse(address)
		defer remove()
		if err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "no browser could be opened (%v): open the address above\n", err)
		}
	}
	err = s.Serve(cmd.Context(), l)
	if dir := s.Stopped(); dir != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "the run %s was stopped; what was finished is kept. To resume: %s run --resume --dir %s\n", dir, wording.Program(), quoted(dir))
	}
	return err
}
