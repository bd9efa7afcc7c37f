package main

import (
	"strings"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci"
	"kroo/internal/revision"
)

func uciCommand() *cobra.Command {
	var rules, weights, bookPath string
	var hash, threads int
	var tables string
	cmd := &cobra.Command{
		Use:   "uci",
		Short: "the engine as a UCI service on standard input and output",
		Long: "Kroo as a UCI service on standard input and output, for programs that show\n" +
			"boards or play matches. Boards and moves are those of oware; go doc\n" +
			"kroo/engine/uci describes every command.\n\n" +
			"Options (setoption name NAME value VALUE): " + strings.Join(uci.OptionNames(), ", ") + ".\n" +
			"Send uci to see their defaults and ranges.",
		Example: "  printf 'position startpos moves Ff\\ngo depth 12\\nquit\\n' | train uci --weights weights.json",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := parseRules(rules)
			if err != nil {
				return err
			}
			if hash < 1 || hash > 1<<16 || threads < 1 || threads > search.MaxThreads {
				return usagef("--hash is %d, --threads %d: expected 1 to 65536, and 1 to %d", hash, threads, search.MaxThreads)
			}
			eval, err := engine.LoadEvaluation(weights)
			if err != nil {
				return err
			}
			if err := eval.CheckRules(rules); err != nil {
				return err
			}
			cfg := uci.Config{Name: "Kroo", Version: revision.Get(), Rules: r, Eval: eval, EvalName: eval.Name, HashMB: hash, Threads: threads, Tables: tables}
			if bookPath != "" {
				if cfg.Book, err = engine.OpenBook(bookPath, r); err != nil {
					return err
				}
				defer cfg.Book.Close()
			}
			return uci.New(cfg).Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	rulesFlag(cmd, &rules)
	cmd.Flags().StringVar(&weights, "weights", "captures", "evaluation: captures, or a weights file")
	cmd.Flags().StringVar(&bookPath, "book", "", "opening book (option OwnBook)")
	cmd.Flags().IntVar(&hash, "hash", 64, "hash table, in MiB")
	cmd.Flags().IntVar(&threads, "threads", 1, "threads of the search")
	cmd.Flags().StringVar(&tables, "tables", "", "endgame tables: a file, a folder, or none (default those of the program)")
	return cmd
}
