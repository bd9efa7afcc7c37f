package commands

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/serve"
)

const maxPort = 65535

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
` + engineHelp + "\n\n" + largerTables,
		Example: "  train serve --open\n" +
			"  train serve --dir runs --listen 127.0.0.1:9000\n" +
			"  train serve --listen :8080 --token-file token.txt\n" +
			"  train serve --engine 'cmd=./engine uci,option.Hash=16'",
	}, a.run, &a)
}

// checkAddress refuses an address without a port, or that is only one, and a port out of range.
func (a *serveArgs) checkAddress() error {
	_, port, err := net.SplitHostPort(a.Listen)
	if err != nil {
		port = a.Listen
	}
	n, failed := strconv.Atoi(port)
	if failed == nil && (n < 0 || n > maxPort) || errors.Is(failed, strconv.ErrRange) {
		return usagef("--listen is %q: the port is %s: expected 0 to %d", a.Listen, port, maxPort)
	}
	if err == nil {
		return nil
	}
	meant := "127.0.0.1:" + a.Listen
	if failed != nil {
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
