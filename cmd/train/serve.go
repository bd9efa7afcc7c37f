package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/internal/vfs"
	"kroo/serve"
)

// serveFlags are those of the command serve.
type serveFlags struct {
	config            serve.Config
	listen, tokenFile string
	open              bool
}

func serveCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "show a board, books, datasets, weights and runs in a browser",
		Long: `Answers a browser on this machine: a board to play and analyse on, the tree of an
opening book, datasets, weights, and the runs in --dir, which it also begins, stops and
goes on with. It shows the files of that folder and no others. The pages load nothing
from elsewhere. Ctrl-C stops.

An address with which other machines can reach it (--listen :8080), or another name
(--host, for a proxy), needs a token: the command prints an address that contains one, a
new one each time unless --token-file names a file with one. There is no encryption: use
it in a network that you trust.`,
		Example: "  train serve --open\n  train serve --dir runs --listen 127.0.0.1:9000\n  train serve --listen :8080 --token-file token.txt",
		Args:    exactArgs(0, "no operands"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return serveWith(cmd, f) },
	}
	cmd.Flags().StringVar(&f.config.Dir, "dir", "runs", "folder of the runs, datasets, weights and books to show")
	cmd.Flags().StringVar(&f.listen, "listen", "127.0.0.1:8080", "address to answer on; port 0 is any that is free")
	cmd.Flags().BoolVar(&f.open, "open", false, "open a browser")
	weightsFlag(cmd, &f.config.Weights)
	cmd.Flags().StringVar(&f.config.Book, "book", "", "opening book of the engine: a file or none (default the program's own)")
	cmd.Flags().IntVar(&f.config.Searches, "searches", 2, "searches at a time; others wait")
	cmd.Flags().Int64Var(&f.config.Nodes, "nodes", 2_000_000, "most positions that a search visits")
	cmd.Flags().IntVar(&f.config.HashMB, "hash", 16, "hash table of each search, in MiB")
	cmd.Flags().StringSliceVar(&f.config.Hosts, "host", nil, "names by which browsers may call the server, beside localhost and addresses")
	cmd.Flags().StringVar(&f.tokenFile, "token-file", "", "file with the token that visitors have to know")
	return cmd
}

func serveWith(cmd *cobra.Command, f serveFlags) error {
	limits := engine.Config{Nodes: f.config.Nodes, HashMB: f.config.HashMB}
	if err := limits.Check(); err != nil {
		return usageError{err}
	}
	if f.config.Searches < 1 {
		return usagef("--searches is %d: expected at least 1", f.config.Searches)
	}
	if err := limits.CheckMemory(f.config.Searches); err != nil {
		return err
	}
	l, err := net.Listen("tcp", f.listen)
	if err != nil {
		return fmt.Errorf("cannot answer on %s: %w: choose another address with --listen", f.listen, err)
	}
	defer l.Close()
	if f.config.Token, err = tokenFor(l.Addr(), f.config.Hosts, f.tokenFile); err != nil {
		return err
	}
	s, err := serve.New(f.config)
	if err != nil {
		return err
	}
	defer s.Close()
	address := addressFor(l.Addr(), f.config.Token)
	fmt.Fprintf(cmd.OutOrStdout(), "%s\n", address)
	fmt.Fprintf(cmd.ErrOrStderr(), "showing %s and the board; Ctrl-C stops\n", f.config.Dir)
	if f.open {
		if err := browse(address); err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "no browser could be opened (%v): open the address above\n", err)
		}
	}
	return s.Serve(cmd.Context(), l)
}

// tokenFor is the token that visitors need: that of a file, none where only this machine
// reaches the address by its own names, or a new one. Another name is that of a proxy,
// which lets other machines in.
func tokenFor(a net.Addr, hosts []string, file string) (string, error) {
	if file != "" {
		data, err := vfs.ReadFile(file)
		if err != nil {
			return "", err
		}
		token := strings.TrimSpace(string(data))
		if len(token) < 16 || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`",;\`, r) }) {
			return "", fmt.Errorf("%s: expected a token of at least 16 letters and digits", file)
		}
		return token, nil
	}
	if at, err := netip.ParseAddrPort(a.String()); err == nil && at.Addr().IsLoopback() && len(hosts) == 0 {
		return "", nil
	}
	return rand.Text(), nil
}

// addressFor is what a visitor opens.
func addressFor(a net.Addr, token string) string {
	host := a.String()
	if at, err := netip.ParseAddrPort(host); err == nil && at.Addr().IsUnspecified() {
		host = fmt.Sprintf("%s:%d", outside(), at.Port())
	}
	address := "http://" + host + "/"
	if token != "" {
		address += "?token=" + token
	}
	return address
}

// outside is an address of this machine that others may know, localhost if there is none.
func outside() string {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return "localhost"
	}
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() {
			return n.IP.String()
		}
	}
	return "localhost"
}

// browse opens a browser.
func browse(address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	c := exec.Command(name, args...)
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			return errors.New(name + " failed")
		}
	case <-time.After(2 * time.Second): // it is the browser
	}
	return nil
}
