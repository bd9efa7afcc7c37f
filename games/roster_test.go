package games_test

import (
	"slices"
	"strings"
	"testing"

	"kroo/games"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/testkit"
)

func TestRosterStandsFirstInItsOrder(t *testing.T) {
	rec := testkit.Must(oware.Descriptor().ParseRecords(strings.NewReader(`[North "Ben"] [Rules "awari"] [Limits "nodes 9"] [Round "7"] {so} F {it begins} f 1-0`), "x"))(t)
	var b strings.Builder
	testkit.NoError(t, oware.Descriptor().WriteRecord(&b, oware.Descriptor().WithRoster(rec[0])))
	const want = `[Variant "Oware Awari"]
[Event "?"]
[Site "?"]
[Date "?"]
[Round "7"]
[South "?"]
[North "Ben"]
[Result "1-0"]
[Rules "awari"]
[Limits "nodes 9"]

1. F {so it begins} f 1-0

`
	testkit.Equal(t, b.String(), want, "written as")
	if rec[0].Comment != "so" || rec[0].Moves[0].Comment != "it begins" || len(rec[0].Tags) != 4 {
		t.Errorf("the record itself has changed: %+v", rec[0])
	}
}

func TestRosterKeepsAVariantAndSaysNothingBeforeTheMoves(t *testing.T) {
	g := tictactoe.Descriptor()
	rec := games.Record[tictactoe.Position]{Start: tictactoe.Start(), Comment: "no moves", Result: games.Unknown}
	if got := g.WithRoster(rec); got.Comment != "" || got.Tags[0].Value != "Tictactoe Standard" || len(got.Tags) != 8 {
		t.Errorf("%+v", got)
	}
	rec.Tags = []games.Tag{{Name: "Variant", Value: "noughts and crosses"}}
	if got := g.WithRoster(rec); !slices.Contains(got.Tags, rec.Tags[0]) || len(got.Tags) != 8 {
		t.Errorf("%+v", got.Tags)
	}
}
