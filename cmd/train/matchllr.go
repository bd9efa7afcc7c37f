package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kroo/match/elo"
)

func llrCommand() *cobra.Command {
	var flags testFlags
	var wins, draws, losses int
	var pairs string
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			test, err := flags.test()
			if err != nil {
				return err
			}
			if test == nil {
				return usagef("no test: give its two leads, such as --sprt 0,5")
			}
			out := cmd.OutOrStdout()
			if pairs != "" {
				counts, err := fiveCounts(pairs)
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
			if wins < 0 || draws < 0 || losses < 0 || wins+draws+losses == 0 {
				return usagef("--wins %d --draws %d --losses %d: expected counts of games, or --pairs", wins, draws, losses)
			}
			llr := test.LLRGames(wins, draws, losses)
			mean := (float64(wins) + float64(draws)/2) / float64(wins+draws+losses)
			fmt.Fprintf(out, "score %.2f %%\n%s\n%.4f\n", 100*mean, test.Explain(llr), llr)
			return nil
		},
	}
	flags.add(cmd)
	cmd.Flags().IntVar(&wins, "wins", 0, "games won")
	cmd.Flags().IntVar(&draws, "draws", 0, "games drawn")
	cmd.Flags().IntVar(&losses, "losses", 0, "games lost")
	cmd.Flags().StringVar(&pairs, "pairs", "", "five counts of pairs, instead")
	return cmd
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
