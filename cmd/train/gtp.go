package main

import (
	"time"

	"github.com/spf13/cobra"

	"kroo/engine/gtp"
	"kroo/engine/search"
	"kroo/internal/revision"
)

func gtpCommand() *cobra.Command {
	var o othelloFlags
	var depth int
	var nodes int64
	var movetime time.Duration
	cmd := &cobra.Command{
		Use:   "gtp",
		Short: "the engine as a program for Othello that speaks GTP",
		Long: `Kroo as a program for Othello on standard input and output, for what speaks the Go
Text Protocol, version 2: Quarry, GoGui, and programs that have others play each
other. go doc kroo/engine/gtp describes every command. The board has 8x8 squares.

A move takes its share of the clock that the client tells, a second without one, or
what --depth, --nodes and --movetime allow.`,
		Example: "  printf 'play black F5\\ngenmove white\\n' | train gtp --depth 6\n  train match --game othello --a 'cmd=./train gtp --depth 6,protocol=gtp' --b depth=6",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if nodes < 0 || movetime < 0 {
				return usagef("--nodes %d, --movetime %s: expected 0 or more", nodes, movetime)
			}
			p, err := o.player()
			if err != nil {
				return err
			}
			defer p.Engine.Close()
			s := gtp.Server{Player: p, Name: "Kroo", Version: revision.Get(), Limits: search.Limits{Depth: depth, Nodes: nodes, Time: movetime}}
			return s.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	o.register(cmd)
	intFlag(cmd, &depth, "depth", 0, 0, 60, "limit each search by depth, 0 for no such limit")
	cmd.Flags().Int64Var(&nodes, "nodes", 0, "limit each search by positions visited (reproducible)")
	cmd.Flags().DurationVar(&movetime, "movetime", 0, "limit each search by time")
	return cmd
}
