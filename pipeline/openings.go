package pipeline

import (
	"context"
	"strconv"

	"kroo/engine"
	"kroo/farm"
	"kroo/games/oware"
	"kroo/match"
)

// OpeningsRequest says which suite of openings to make.
type OpeningsRequest struct {
	match.SuiteConfig
	SearchConfig           // of the search that judges a position
	Eval         Evaluator // of that search
}

// MakeOpenings judges openings by search and writes the balanced ones to out,
// as OGN whose tags say how they were found. It returns how many there are.
func MakeOpenings(ctx context.Context, req OpeningsRequest, out string, progress Progress) (int, error) {
	if err := req.Eval.CheckRules(req.Rules); err != nil {
		return 0, err
	}
	pool := farm.NewLocal(req.Eval, req.Options(), req.Workers)
	defer pool.Close()
	req.SuiteConfig.Workers = pool.Workers()
	suite, err := match.Suite(ctx, req.SuiteConfig, judgeWith(pool, req.Limits()), progress)
	if err != nil {
		return 0, err
	}
	return len(suite), match.WriteSuite(out, suite, req.provenance()...)
}

// judgeWith judges positions by the pool's searches.
func judgeWith(pool farm.Pool, lim engine.Limits) match.Judge {
	return func(ctx context.Context, p oware.Position) (score int, err error) {
		err = pool.Run(ctx, []farm.Job{{Position: p, Limits: lim}}, func(r farm.Result) error {
			score = r.Search.Score
			return r.Err
		})
		return score, err
	}
}

func (r OpeningsRequest) provenance() []oware.Tag {
	draw := "all"
	if r.N > 0 {
		draw = strconv.Itoa(r.N) + ", seed " + strconv.FormatUint(r.Seed, 10)
	}
	return []oware.Tag{
		{Name: "Event", Value: "openings of " + strconv.Itoa(r.Plies) + " plies within " + strconv.Itoa(r.Bound) + " centi-seeds"},
		{Name: "Draw", Value: draw},
		{Name: "Limits", Value: LimitsText(r.SearchConfig)},
		{Name: "Engine", Value: engine.Signature()},
		{Name: "Evaluator", Value: r.Eval.Name},
	}
}
