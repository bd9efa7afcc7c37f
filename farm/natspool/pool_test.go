package natspool

import (
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/farm"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
)

// someJobs are searches of positions of random games.
func someJobs(n int, lim search.Limits) (jobs []farm.Job[oware.Position]) {
	r := rand.New(rand.NewPCG(3, 3))
	for p := oware.Start(oware.Abapa); len(jobs) < n; {
		if _, over := p.Terminal(); over {
			p = oware.Start(oware.Abapa)
		}
		moves := p.AppendMoves(nil)
		p = p.Play(moves[r.IntN(len(moves))])
		jobs = append(jobs, farm.Job[oware.Position]{Position: p, Limits: lim, AllMoves: len(jobs)%3 == 0})
	}
	return jobs
}

// results runs a pool and files the results by index, without their clock.
func results(t *testing.T, p farm.Pool[oware.Position], jobs []farm.Job[oware.Position]) []farm.Result {
	t.Helper()
	list := make([]farm.Result, len(jobs))
	err := p.Run(t.Context(), jobs, func(r farm.Result) error {
		if list[r.Index].Search.Nodes > 0 {
			t.Errorf("job %d answered twice", r.Index)
		}
		r.Search.Time = 0
		list[r.Index] = r
		return r.Err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Searches on workers elsewhere are those on this machine: with the program's own
// evaluation and tables, and with weights from a file.
func TestResultsAreThoseOfTheLocalPool(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	for range 2 {
		join(t, n, nil, func(c *WorkerConfig) {
			c.Engine = engine.Signature()
			c.Open = func(w farm.Work, files farm.Files, threads int) (farm.Doer, error) {
				spec, err := farm.DecodeEngineSpec(w.Spec)
				if err != nil {
					return nil, err
				}
				return farm.OpenSearches(engine.Oware(), spec, files, threads)
			}
		})
	}
	jobs := someJobs(150, search.Limits{Nodes: 500})
	model, _ := evaluations.Named("thesis4")
	file := filepath.Join(t.TempDir(), "weights")
	if err := model.Save(file); err != nil {
		t.Fatal(err)
	}
	for _, weights := range []string{engine.CapturesName, engine.DefaultName, file} {
		e, err := engine.Open(engine.Oware(), weights, "", engine.Config{Nodes: 500, HashMB: 1}, "abapa")
		if err != nil {
			t.Fatal(err)
		}
		local, err := farm.New(t.Context(), nil, e, 2, 0)
		if err != nil {
			t.Fatal(err)
		}
		remote, err := farm.New(t.Context(), n, e, 2, 0)
		if err != nil {
			t.Fatal(err)
		}
		if want, got := results(t, local, jobs), results(t, remote, jobs); !reflect.DeepEqual(got, want) {
			t.Errorf("weights %s: workers elsewhere answer otherwise", weights)
		}
		for _, close := range []func() error{local.Close, remote.Close, e.Close} {
			if err := close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestAnEngineThatWorkersCannotOpenIsRefused(t *testing.T) {
	good := farm.EngineSpec{Game: "oware", Rules: "abapa", Evaluation: farm.Part{Name: "captures", Own: "captures"}, Nodes: 10, HashMB: 1}
	none := func(string) (string, error) { return "", nil }
	if _, err := farm.OpenSearches(engine.Oware(), good, none, 1); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*farm.EngineSpec){
		"no limit":                func(s *farm.EngineSpec) { s.Nodes = 0 },
		"hash_mb is 99999999":     func(s *farm.EngineSpec) { s.HashMB = 99999999 },
		"unknown rules":           func(s *farm.EngineSpec) { s.Rules = "chess" },
		"without an evaluation":   func(s *farm.EngineSpec) { s.Evaluation = farm.Part{} },
		"either a file or a name": func(s *farm.EngineSpec) { s.Evaluation.File = "x" },
		"expected \"other\"":      func(s *farm.EngineSpec) { s.Evaluation.Name = "other" },
		"tables of this program":  func(s *farm.EngineSpec) { s.Tables = farm.Part{Own: "default", Name: "99 seeds"} },
	} {
		bad := good
		spoil(&bad)
		if _, err := farm.OpenSearches(engine.Oware(), bad, none, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v: want %q in it", err, want)
		}
	}
}
