package farm

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kroo/engine"
	"kroo/engine/search"
)

// Program is another program that searches in place of Kroo's engine, as the workers tell
// that have it. The zero value is Kroo's engine. A coordinator asks for one by its name, and
// never says what to run.
type Program struct {
	Name     string `json:"name"`     // by which workers allow it: letters, digits and hyphens
	Calls    string `json:"calls"`    // what it calls itself
	Identity string `json:"identity"` // arguments, options, checksums: tells apart programs whose answers may differ
}

// Bounds of the texts of a Program.
const (
	maxName     = 40
	maxIdentity = 1500
)

// Check refuses what cannot be.
func (p Program) Check() error {
	odd := func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-')
	}
	if p.Name == "" || len(p.Name) > maxName || strings.ContainsFunc(p.Name, odd) {
		return fmt.Errorf("engine %.80q: expected a name of 1 to %d letters, digits and hyphens", p.Name, maxName)
	}
	if len(p.Calls) > maxIdentity || len(p.Identity) > maxIdentity {
		return fmt.Errorf("engine %s: its name for itself, arguments and options have more than %d bytes", p.Name, maxIdentity)
	}
	return nil
}

// Engine is the signature by which its sessions find their workers: those of Kroo's engine
// by that of Kroo.
func (p Program) Engine() string {
	if p == (Program{}) {
		return engine.Signature()
	}
	text, _ := json.Marshal(p) // texts: it encodes
	return fmt.Sprintf("program-%s-%x", p.Name, sha256.Sum256(text))[:len("program-")+len(p.Name)+1+24]
}

// Need is an engine that some work takes besides others.
type Need struct {
	Program string `json:"program,omitempty"` // its name, "" for Kroo's engine
	Engine  string `json:"engine"`            // its signature
}

// MostNeeds is how many engines some work may take.
const MostNeeds = 4

// Takes says which engines the work takes, the zero value of a program being Kroo's, each
// once or more often.
func (w *Work) Takes(list ...Program) {
	w.Needs = nil
	for _, p := range list {
		w.Needs = append(w.Needs, Need{p.Name, p.Engine()})
	}
	slices.SortFunc(w.Needs, func(a, b Need) int { return cmp.Compare(a.Engine, b.Engine) })
	w.Needs = slices.Compact(w.Needs)
	w.Program, w.Engine = "", Together(w.Needs)
	for _, n := range w.Needs {
		if len(w.Needs) > 1 || n.Program != "" {
			w.Program = strings.TrimPrefix(w.Program+" and "+cmp.Or(n.Program, "Kroo"), " and ")
		}
	}
	if len(w.Needs) == 1 {
		w.Needs = nil
	}
}

// Together is the signature by which sessions find workers that have all the engines.
func Together(needs []Need) string {
	if len(needs) == 1 {
		return needs[0].Engine
	}
	text, _ := json.Marshal(needs) // texts: it encodes
	return fmt.Sprintf("together-%x", sha256.Sum256(text))[:len("together-")+24]
}

// Kit is a game's kit with a program of workers in the place of every evaluation. Its
// engines search by [Searches] alone.
func Kit[P search.Position[P]](k engine.Kit[P], p Program) engine.Kit[P] {
	game := k
	k.Evaluation = func(_, rules string) (engine.Evaluation[P], error) {
		eval, err := game.Evaluation(game.Plain, rules)
		eval.Name, eval.Known, eval.File, eval.Rules, eval.Program = p.Calls, "", "", rules, far[P]{p}
		return eval, err
	}
	return k
}

// far is a program that only workers have.
type far[P search.Position[P]] struct{ Program }

func (f far[P]) Signature() string { return f.Name + ": " + f.Identity }

func (f far[P]) NewSearcher() engine.Searcher[P] { return f }

func (f far[P]) Search(context.Context, P, []P, search.Limits, search.Query) (search.Result, error) {
	return search.Result{}, errors.New("the engine " + f.Name + " is one of a farm's workers: it does not search here")
}

func (far[P]) Clear() {}

func (far[P]) Close() {}
