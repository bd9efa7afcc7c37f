package natspool

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/farm"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/parallel"
	"kroo/internal/testkit"
)

// someJobs are searches of positions of random games.
func someJobs(n int, lim search.Limits) (jobs []engine.Job[oware.Position]) {
	r := rand.New(rand.NewPCG(3, 3))
	for p := oware.Start(oware.Abapa); len(jobs) < n; {
		if _, over := p.Terminal(); over {
			p = oware.Start(oware.Abapa)
		}
		moves := p.AppendMoves(nil)
		p = p.Play(moves[r.IntN(len(moves))])
		jobs = append(jobs, engine.Job[oware.Position]{Number: len(jobs), Position: p, Limits: lim})
	}
	return jobs
}

// results searches jobs and files the results by number, without their clock.
func results(t *testing.T, p engine.Pool[oware.Position], jobs []engine.Job[oware.Position]) []engine.Answer {
	t.Helper()
	list := make([]engine.Answer, len(jobs))
	err := p.Search(t.Context(), parallel.List(jobs), func(j engine.Job[oware.Position], r engine.Answer) error {
		if list[j.Number].Nodes > 0 {
			t.Errorf("job %d answered twice", j.Number)
		}
		r.Time = 0
		list[j.Number] = r
		return nil
	})
	testkit.NoError(t, err)
	return list
}

// searcher makes a worker do searches, whose answers are spoiled.
func searcher(spoil func(answer []byte) []byte) func(*WorkerConfig) {
	return func(c *WorkerConfig) {
		c.Engine = engine.Signature()
		c.Open = func(w farm.Work, files farm.Files, threads int) (farm.Doer, error) {
			spec, err := farm.DecodeEngineSpec(w.Spec)
			if err != nil {
				return nil, err
			}
			honest, err := farm.OpenSearches(engine.Oware(), spec, files, threads)
			return doing(func(ctx context.Context, task []byte) ([]byte, error) {
				answer, err := honest.Do(ctx, task)
				return spoil(answer), err
			}), err
		}
	}
}

// A worker that answers what cannot be ends the call, which names it.
func TestLyingWorkersAreRefused(t *testing.T) {
	t.Parallel()
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{Nodes: 500, HashMB: 1}}, "abapa"))(t)
	for want, spoil := range map[string]func([]byte) []byte{
		"not the answer of a search": func(b []byte) []byte { return b[:len(b)/2] },
		"expected a legal one": func(b []byte) []byte {
			a, _, _ := engine.ParseAnswer(b)
			a.Move = 6
			return a.Append(nil)
		},
	} {
		n, _ := dial(t, Config{})
		join(t, n, nil, searcher(spoil))
		remote := testkit.Must(farm.Searches(n, e, 0))(t)
		err := remote.Search(t.Context(), parallel.List(someJobs(5, e.Spec.Search.Limits())), nil)
		testkit.Refused(t, err, "failed 5 times, the last time on worker ", want)
	}
}

// Searches on workers elsewhere are those on this machine: with the program's own
// evaluation and tables, and with weights from a file.
func TestResultsAreThoseOfTheLocalPool(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	for range 2 {
		join(t, n, nil, searcher(func(answer []byte) []byte { return answer }))
	}
	jobs := someJobs(150, search.Limits{Nodes: 500})
	model, _ := evaluations.Named("thesis4")
	file := filepath.Join(t.TempDir(), "weights")
	testkit.NoError(t, model.Save(file))
	for step, weights := range []string{engine.CapturesName, engine.DefaultName, file} {
		e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: weights, Search: engine.Config{Nodes: 500, HashMB: 1, Step: step}}, "abapa"))(t)
		local := testkit.Must(e.Searchers(2))(t)
		remote := testkit.Must(farm.Searches(n, e, 0))(t)
		if want, got := results(t, local, jobs), results(t, remote, jobs); !reflect.DeepEqual(got, want) {
			t.Errorf("weights %s: workers elsewhere answer otherwise", weights)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}
