package commands

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kroo/internal/spec"
	"kroo/match/elo"
)

// llrArgs are what the flags of llr say.
type llrArgs struct {
	test                elo.SPRT
	wins, draws, losses int
	pairs               string
}

func llrCommand() *cobra.Command {
	var a llrArgs
	cmd := &cobra.Command{
		Use:   "llr",
		Short: "the log-likelihood ratio of a sequential test, for results from elsewhere",
		Long: `Prints Elo with its 95 % interval and the state of a sequential probability ratio
test for given results, and last the log-likelihood ratio alone. --pairs takes the numbers
of pairs of games with 0, ½, 1, 1½ and 2 points; without it, games count as independent.`,
		Example: `  train match llr --wins 36433 --losses 36027 --draws 68692 --sprt 0,2 --model normalized
  train match llr --pairs 100,200,400,220,110 --sprt 0,5`,
		Args: exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd) },
	}
	jsonFlag(cmd, new(bool))
	spec.Default(&a.test)
	spec.Flags(cmd.Flags(), &a.test)
	cmd.Flags().IntVar(&a.wins, "wins", 0, "games won")
	cmd.Flags().IntVar(&a.draws, "draws", 0, "games drawn")
	cmd.Flags().IntVar(&a.losses, "losses", 0, "games lost")
	haveBounds(cmd, "wins", "draws", "losses")
	cmd.Flags().StringVar(&a.pairs, "pairs", "", "five counts of pairs, instead")
	return cmd
}

func (a *llrArgs) run(cmd *cobra.Command) error {
	test := a.test
	if !test.Given() {
		return usagef("no test: give its two leads, such as --sprt 0,5")
	}
	if err := test.Check(); err != nil {
		return usageError{err}
	}
	if a.pairs != "" {
		counts, err := fiveCounts(a.pairs)
		if err != nil {
			return err
		}
		llr := test.LLR(counts)
		fmt.Fprintf(text(cmd), "%s\n%s\n%.4f\n", elo.ScoreOfPairs(counts).EloText(2), test.Explain(llr), llr)
		return value(cmd, llrFound{llr, elo.ScoreOfPairs(counts)})
	}
	counts := []int{a.wins, a.draws, a.losses}
	if slices.Min(counts) < 0 || slices.Max(counts) > mostCounted || slices.Max(counts) == 0 {
		return usagef("--wins %d --draws %d --losses %d: expected counts of games, 0 to %d each, or --pairs", a.wins, a.draws, a.losses, int64(mostCounted))
	}
	llr := test.LLRGames(a.wins, a.draws, a.losses)
	mean := elo.Score{Wins: a.wins, Draws: a.draws, Losses: a.losses}.Mean()
	lead, in := elo.GamesElo(a.wins, a.draws, a.losses)
	fmt.Fprintf(text(cmd), "score %.2f %%, Elo %s\n%s\n%.4f\n", 100*mean, in.Text(lead, elo.Signed(2)), test.Explain(llr), llr)
	return value(cmd, llrFound{llr, elo.Score{Wins: a.wins, Draws: a.draws, Losses: a.losses}})
}

// llrFound is the ratio, and the results that it is of, as JSON.
type llrFound struct {
	LLR   float64   `json:"llr"`
	Score elo.Score `json:"score"`
}

// mostCounted bounds counts of results: the ratio is exact to its last digit far beyond.
const mostCounted = 1_000_000_000_000

// fiveCounts reads "a,b,c,d,e".
func fiveCounts(text string) (counts [5]int, err error) {
	words := strings.Split(text, ",")
	for i := range min(len(words), len(counts)) {
		if counts[i], err = strconv.Atoi(strings.TrimSpace(words[i])); err != nil {
			break
		}
	}
	if err != nil || len(words) != len(counts) || slices.Min(counts[:]) < 0 || slices.Max(counts[:]) > mostCounted || counts == [5]int{} {
		return counts, usagef("--pairs %q: expected five counts, 0 to %d each, such as 100,200,400,220,110", text, int64(mostCounted))
	}
	return counts, nil
}
