package features

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"kroo/games/oware"
)

// What a weights file must say of itself, and the largest weight it may hold.
const (
	Format    = "kroo-weights"
	Version   = 1
	MaxWeight = 1e5
)

// seed is what a point is worth in seeds.
const seed = 24.0 / 1000

// Seeds converts points to seeds.
func Seeds(points float64) float64 { return points * seed }

// Weights is a fitted evaluation function and its origin; it is the content of
// a weights file.
type Weights struct {
	Format   string    `json:"format"`
	Version  int       `json:"version"`
	Rules    string    `json:"rules"`            // of the positions it was fitted on
	Set      string    `json:"set"`              // the feature set it was chosen from
	SetHash  string    `json:"set_hash"`         // Set.Hash when it was fitted
	Features []string  `json:"features"`         // of the set, all or some, each once
	Points   []float64 `json:"points"`           // per feature: points per unit of own − opponent's
	StdErr   []float64 `json:"stderr,omitempty"` // standard errors of Points, or absent

	Train      *Fit       `json:"train,omitempty"`      // on the rows it was fitted to
	Validation *Fit       `json:"validation,omitempty"` // on other rows
	Provenance Provenance `json:"provenance"`
}

// Fit says how well the function agrees with labels. Package regress defines
// its numbers.
type Fit struct {
	Rows int     `json:"rows"` // before doubling
	R    float64 `json:"r"`    // correlation of prediction and label
	R2   float64 `json:"r2"`   // share of the labels' variance explained
	MAE  float64 `json:"mae"`  // mean absolute error, points
	RMSE float64 `json:"rmse"` // root of the mean squared error, points
}

// MAESeeds is the mean absolute error in seeds.
func (f Fit) MAESeeds() float64 { return f.MAE * seed }

// RMSESeeds is the root of the mean squared error in seeds.
func (f Fit) RMSESeeds() float64 { return f.RMSE * seed }

// Provenance says what the weights were made of and how.
type Provenance struct {
	Dataset    string   `json:"dataset,omitempty"`    // SHA-256 of the training rows' file
	Validation string   `json:"validation,omitempty"` // SHA-256 of the validation rows' file
	Ridge      float64  `json:"ridge"`                // penalty of the fit
	Condition  float64  `json:"condition"`            // condition number of the scaled Gram matrix; 0 if not measured
	Selection  string   `json:"selection,omitempty"`  // how features were selected, with the tolerance
	Removed    []string `json:"removed,omitempty"`    // features dropped, first one first
	Labels     string   `json:"labels,omitempty"`     // limits of the labelling search
	Engine     string   `json:"engine,omitempty"`     // signature of the labelling engine
	Tool       string   `json:"tool,omitempty"`       // revision of the program
	Note       string   `json:"note,omitempty"`
}

// New makes the weights of the given features of a set, in points per unit of
// own − opponent's value. rules is the name of the rules they were fitted for
// (oware.Rules.String). The caller fills in fits and provenance.
func New(rules string, s *Set, names []string, points []float64) (*Weights, error) {
	w := &Weights{
		Format: Format, Version: Version, Rules: rules,
		Set: s.Name, SetHash: s.Hash(),
		Features: slices.Clone(names), Points: slices.Clone(points),
	}
	if err := w.check(); err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	return w, nil
}

// CheckRules returns an error unless the weights were fitted for these rules.
func (w *Weights) CheckRules(r oware.Rules) error {
	if w.Rules != r.String() {
		return fmt.Errorf("features: weights were fitted for %s: expected %s", w.Rules, r)
	}
	return nil
}

// Hash identifies what matters for play, the rules, the feature definitions
// and the numbers, in 16 hexadecimal digits.
func (w *Weights) Hash() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q\n", w.Rules, w.SetHash, w.Features)
	for _, x := range w.Points {
		fmt.Fprintf(h, "%x\n", x)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// Exact is the fitted function of a position, in points for the player to
// move. It is the slow twin of [Evaluator.Evaluate]; the weights must be valid
// ones, from [New] or [LoadWeights].
func (w *Weights) Exact(p oware.Position) float64 {
	s, err := ByName(w.Set)
	if err != nil {
		panic(err)
	}
	own, opp := make([]int, s.Len()), make([]int, s.Len())
	s.Values(p, own, opp)
	var sum float64
	for i, f := range s.Features {
		if j := slices.Index(w.Features, f.Name); j >= 0 {
			sum += w.Points[j] * float64(own[i]-opp[i])
		}
	}
	return sum
}

// check says what is wrong with the weights.
func (w *Weights) check() error {
	if w.Format != Format {
		return fmt.Errorf("format is %q: expected %q", w.Format, Format)
	}
	if w.Version != Version {
		return fmt.Errorf("version is %d: expected %d", w.Version, Version)
	}
	if _, err := oware.ParseRules(w.Rules); err != nil {
		return fmt.Errorf("rules: %w", err)
	}
	set, err := ByName(w.Set)
	if err != nil {
		return fmt.Errorf("set: %w", err)
	}
	if w.SetHash != set.Hash() {
		return fmt.Errorf("set_hash is %q: expected %q, set %s of this program; fit the weights again", w.SetHash, set.Hash(), set.Name)
	}
	if err := w.checkNumbers(set); err != nil {
		return err
	}
	return w.checkOrigin()
}

func (w *Weights) checkNumbers(set *Set) error {
	if len(w.Features) == 0 {
		return fmt.Errorf("features is empty: expected names of set %s", set.Name)
	}
	if len(w.Points) != len(w.Features) {
		return fmt.Errorf("points has %d numbers: expected %d, one a feature", len(w.Points), len(w.Features))
	}
	if w.StdErr != nil && len(w.StdErr) != len(w.Features) {
		return fmt.Errorf("stderr has %d numbers: expected %d or none", len(w.StdErr), len(w.Features))
	}
	for i, name := range w.Features {
		if _, ok := set.feature(name); !ok {
			return fmt.Errorf("features[%d] is %q: expected one of set %s", i, name, set.Name)
		}
		if slices.Contains(w.Features[:i], name) {
			return fmt.Errorf("features[%d] is %q: expected each feature once", i, name)
		}
		if x := w.Points[i]; !(math.Abs(x) <= MaxWeight) {
			return fmt.Errorf("points[%d] is %g: expected at most %g either way", i, x, MaxWeight)
		}
		if w.StdErr != nil && !notNegative(w.StdErr[i]) {
			return fmt.Errorf("stderr[%d] is %g: expected zero or more", i, w.StdErr[i])
		}
	}
	return nil
}

func (w *Weights) checkOrigin() error {
	if err := w.Train.check("train"); err != nil {
		return err
	}
	if err := w.Validation.check("validation"); err != nil {
		return err
	}
	if x := w.Provenance.Ridge; !notNegative(x) {
		return fmt.Errorf("provenance.ridge is %g: expected zero or more", x)
	}
	if x := w.Provenance.Condition; !notNegative(x) {
		return fmt.Errorf("provenance.condition is %g: expected zero or more", x)
	}
	return nil
}

func (f *Fit) check(name string) error {
	switch {
	case f == nil:
		return nil
	case f.Rows < 0:
		return fmt.Errorf("%s.rows is %d: expected zero or more", name, f.Rows)
	case !(math.Abs(f.R) <= 1):
		return fmt.Errorf("%s.r is %g: expected -1 to 1", name, f.R)
	case !(f.R2 <= 1) || math.IsInf(f.R2, -1):
		return fmt.Errorf("%s.r2 is %g: expected at most 1", name, f.R2)
	case !notNegative(f.MAE) || !notNegative(f.RMSE):
		return fmt.Errorf("%s: mae is %g and rmse %g: expected zero or more", name, f.MAE, f.RMSE)
	}
	return nil
}

func notNegative(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }

// marshal is the text of the weights: the same bytes for the same weights.
func (w *Weights) marshal() ([]byte, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	return indented(w)
}

func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // feature names begin with < and >
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
