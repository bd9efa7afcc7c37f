package match

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"sync"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/farm"
	"kroo/games/oware"
	"kroo/internal/wal"
)

// OpeningsRequest says which suite of openings to make.
type OpeningsRequest struct {
	SuiteConfig
	engine.Config                                   // of the search that judges a position
	Eval          engine.Evaluation[oware.Position] // of that search
}

// MakeOpenings judges openings by search and writes the balanced ones to out,
// as OGN whose tags say how they were found. It returns how many there are.
// Judgements are kept in a journal beside out until it is written, so that the
// same call goes on where another was stopped.
func MakeOpenings(ctx context.Context, req OpeningsRequest, out string, progress func(done, total int64)) (int, error) {
	e, err := engine.New(engine.Oware(), req.Eval, req.Config, req.Rules.String())
	if err != nil {
		return 0, err
	}
	defer e.Close()
	pool := farm.NewLocal(e.NewSearcher, req.Workers)
	defer pool.Close()
	req.SuiteConfig.Workers = pool.Workers()
	judged, err := openJudged(out+".journal", req)
	if err != nil {
		return 0, err
	}
	defer judged.log.Close()
	suite, err := Suite(ctx, req.SuiteConfig, judged.first(judgeWith(pool, req.Limits())), progress)
	if err != nil {
		return 0, err
	}
	if err := WriteSuite(out, suite, req.provenance()...); err != nil {
		return 0, err
	}
	return len(suite), os.Remove(out + ".journal")
}

// judged remembers the judgements of a suite, in a journal that outlives the
// program. Bound, number and seed are no part of what a judgement depends on.
type judged struct {
	mu     sync.Mutex
	log    *wal.Log
	scores map[int64]int // by book key
}

const judgedRecord = 8 + 4

func openJudged(path string, req OpeningsRequest) (*judged, error) {
	j := &judged{scores: map[int64]int{}}
	header := map[string]string{
		"kind": "openings", "rules": req.Rules.String(), "limits": req.Config.String(),
		"engine": engine.Signature(), "evaluator": req.Eval.Name,
	}
	want, err := json.Marshal(header)
	if err != nil {
		return nil, err
	}
	j.log, err = wal.OpenOrCreate(path, want, func(got []byte) error {
		if !bytes.Equal(got, want) {
			return fmt.Errorf("it belongs to other settings or another input: delete it to start again")
		}
		return nil
	}, func(rec []byte) error {
		if len(rec) != judgedRecord {
			return fmt.Errorf("a record of %d bytes: expected %d", len(rec), judgedRecord)
		}
		j.scores[int64(binary.LittleEndian.Uint64(rec))] = int(int32(binary.LittleEndian.Uint32(rec[8:])))
		return nil
	})
	return j, err
}

// first asks the judge only about what is not known yet.
func (j *judged) first(judge Judge) Judge {
	return func(ctx context.Context, p oware.Position) (int, error) {
		key := p.BookKey()
		j.mu.Lock()
		score, known := j.scores[key]
		j.mu.Unlock()
		if known {
			return score, nil
		}
		score, err := judge(ctx, p)
		if err != nil {
			return 0, err
		}
		rec := binary.LittleEndian.AppendUint64(make([]byte, 0, judgedRecord), uint64(key))
		j.mu.Lock()
		defer j.mu.Unlock()
		return score, j.log.Append(binary.LittleEndian.AppendUint32(rec, uint32(int32(score))))
	}
}

// judgeWith judges positions by the pool's searches.
func judgeWith(pool farm.Pool[oware.Position], lim search.Limits) Judge {
	return func(ctx context.Context, p oware.Position) (score int, err error) {
		err = pool.Run(ctx, []farm.Job[oware.Position]{{Position: p, Limits: lim}}, func(r farm.Result) error {
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
		{Name: "Limits", Value: r.Config.String()},
		{Name: "Engine", Value: engine.Signature()},
		{Name: "Evaluator", Value: r.Eval.Name},
	}
}
