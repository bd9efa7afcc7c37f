package commands

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"kroo/internal/outline"
	"kroo/match"
	"kroo/match/elo"
)

func llrCommand() *cobra.Command {
	var a struct {
		elo.SPRT
		Wins   int   `name:"wins" range:"0..1000000000000" help:"games won"`
		Draws  int   `name:"draws" range:"0..1000000000000" help:"games drawn"`
		Losses int   `name:"losses" range:"0..1000000000000" help:"games lost"`
		Pairs  []int `name:"pairs" range:"0..1000000000000" help:"five counts of pairs, instead of counts of games"`
	}
	return newCommand(&cobra.Command{
		Use:   "llr",
		Short: "the log-likelihood ratio of a sequential test, for results from elsewhere",
		Long: `Prints Elo with its 95 % interval and the state of a sequential probability ratio
test for given results, and last the log-likelihood ratio alone. --pairs takes the numbers
of pairs of games with 0, ½, 1, 1½ and 2 points; without it, games count as independent.`,
		Example: `  train match llr --wins 36433 --losses 36027 --draws 68692 --sprt 0,2 --model normalized
  train match llr --pairs 100,200,400,220,110 --sprt 0,5`,
	}, func(j *job) error {
		if !a.Given() {
			return usagef("no test given: name its two bounds, such as --sprt 0,5")
		}
		if err := asUsage(a.Check()); err != nil {
			return err
		}
		counts := []int{a.Wins, a.Draws, a.Losses}
		if j.given("pairs") {
			if err := j.notWith("--pairs", "wins", "draws", "losses"); err != nil {
				return err
			}
			counts = a.Pairs
		}
		var found struct {
			LLR   float64   `json:"llr"`
			Score elo.Score `json:"score"`
		}
		d := &outline.Doc{}
		switch {
		case len(counts) == 0 || slices.Max(counts) == 0:
			return usagef("no results: give --wins, --draws and --losses, or the five counts of --pairs")
		case !j.given("pairs"):
			found.LLR, found.Score = a.LLRGames(a.Wins, a.Draws, a.Losses), elo.Score{
				Wins:   a.Wins,
				Draws:  a.Draws,
				Losses: a.Losses,
			}
			lead, in := elo.GamesElo(a.Wins, a.Draws, a.Losses)
			d.Facts = outline.Facts("score", fmt.Sprintf("%.2f %%", 100*found.Score.Mean()), "Elo",
				in.Text(lead, elo.SignedFormat(2)))
		case len(a.Pairs) != 5:
			return usagef("--pairs has %d counts: expected five counts, such as 100,200,400,220,110", len(a.Pairs))
		default:
			pairs := [5]int(a.Pairs)
			found.LLR, found.Score = a.LLR(pairs), elo.ScoreOfPairs(pairs)
			d.Facts = match.EloFacts(found.Score, 2)
		}
		d.Value, d.Facts = found, append(d.Facts, outline.Fact{Name: "test", Value: a.Explain(found.LLR)})
		d.Addf("%.4f", found.LLR)
		return j.show("", d)
	}, &a)
}
