package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kroo/match/elo"
)

// llrArgs are what the flags of llr say.
type llrArgs struct {
	test                testFlags
	wins, draws, losses int
	pairs               string
}

func llrCommand() *cobra.Command {
	var a llrArgs
	cmd := &cobra.Command{
		Use:   "llr",
		Short: "the log-likelihood ratio of a sequential test, for results from elsewhere",
		Long: `Prints Elo and the state of a sequential probability ratio test for given
results, and last the log-likelihood ratio alone. --pairs takes the numbers of
pairs of games with 0, ½, 1, 1½ and 2 points; without pairs, games count as
independent of each other.`,
		Example: `  train match llr --wins 36433 --losses 36027 --draws 68692 --sprt 0,2 --model normalized
  train match llr --pairs 100,200,400,220,110 --sprt 0,5`,
		Args: exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd.OutOrStdout()) },
	}
	a.test.add(cmd)
	cmd.Flags().IntVar(&a.wins, "wins", 0, "games won")
	cmd.Flags().IntVar(&a.draws, "draws", 0, "games drawn")
	cmd.Flags().IntVar(&a.losses, "losses", 0, "games lost")
	cmd.Flags().StringVar(&a.pairs, "pairs", "", "five counts of pairs, instead")
	return cmd
}

func (a *llrArgs) run(out io.Writer) error {
	test, err := a.test.test()
	if err != nil {
		return err
	}
	if test == nil {
		return usagef("no test: give its two leads, such as --sprt 0,5")
	}
	if a.pairs != "" {
		counts, err := fiveCounts(a.pairs)
		if err != nil {
			return err
		}
		s := elo.Score{Pairs: counts}
		lead, bar := s.PairElo()
		normal, normalBar := s.NormalizedElo()
		llr := test.LLR(counts)
		fmt.Fprintf(out, "Elo %+.2f ± %.2f, normalized %+.2f ± %.2f\n%s\n%.4f\n", lead, bar, normal, normalBar, test.Explain(llr), llr)
		return nil
	}
	games := a.wins + a.draws + a.losses
	if a.wins < 0 || a.draws < 0 || a.losses < 0 || games == 0 {
		return usagef("--wins %d --draws %d --losses %d: expected counts of games, or --pairs", a.wins, a.draws, a.losses)
	}
	llr := test.LLRGames(a.wins, a.draws, a.losses)
	mean := (float64(a.wins) + float64(a.draws)/2) / float64(games)
	fmt.Fprintf(out, "score %.2f %%\n%s\n%.4f\n", 100*mean, test.Explain(llr), llr)
	return nil
}

// fiveCounts reads "a,b,c,d,e".
func fiveCounts(text string) (counts [5]int, err error) {
	words := strings.Split(text, ",")
	for i := range min(len(words), len(counts)) {
		if counts[i], err = strconv.Atoi(strings.TrimSpace(words[i])); err != nil || counts[i] < 0 {
			break
		}
	}
	if err != nil || len(words) != len(counts) || slices.Min(counts[:]) < 0 || counts == [5]int{} {
		return counts, usagef("--pairs %q: expected five counts, such as 100,200,400,220,110", text)
	}
	return counts, nil
}
