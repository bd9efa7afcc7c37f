package features

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"kroo/internal/agreement"
	"kroo/internal/atomicfile"
	"kroo/internal/strict"
)

// The required format and version of a weights file, and the largest weight that an engine plays with, in
// points. Weights of columns of another program have no limit: it chooses their scale.
const (
	Format    = "kroo-weights"
	version   = 1
	MaxWeight = 1e5
)

// defaultGame is the game of weights files that do not name one.
const defaultGame = "oware"

// Weights are weights by name, of an antisymmetric set or of columns computed by another program,
// and their origin: the content of a JSON weights file. [Sets.Model] makes a function of them.
type Weights struct {
	Format   string          `json:"format"`
	Version  int             `json:"version"`
	Game     string          `json:"game,omitempty"`   // games.Info.Name; "" means oware
	Rules    string          `json:"rules"`            // of the positions it was fitted on
	Set      string          `json:"set"`              // the feature set it was chosen from
	SetHash  string          `json:"set_hash"`         // Set.Hash at the time of the fit
	Features []string        `json:"features"`         // of the set, all or some, each once
	Points   []float64       `json:"points"`           // per feature: points per unit of own − opponent's
	StdErr   []float64       `json:"stderr,omitempty"` // standard errors of Points; nil if unknown
	Errors   *StandardErrors `json:"errors,omitempty"` // kind of standard errors; nil if unknown
	// Columns are those of Features that another program has computed (datasets.Meta): no set
	// defines them, so only rows with these columns can be evaluated.
	Columns []string `json:"columns,omitempty"`

	// Calibration converts scores to chances; nil if unknown.
	Calibration *Calibration `json:"calibration,omitempty"`

	Train      *agreement.Doubled `json:"train,omitempty"`      // on the training rows
	Validation *agreement.Doubled `json:"validation,omitempty"` // on other rows
	Provenance Provenance         `json:"provenance"`
}

// StandardErrors describes standard errors.
type StandardErrors struct {
	Kind     string `json:"kind"`               // OrdinaryErrors, ClusteredErrors or NoErrors
	Clusters int    `json:"clusters,omitempty"` // number of groups of possibly dependent rows
}

// Kinds of standard errors.
const (
	OrdinaryErrors  = "ordinary"  // of independent rows of equal variance
	ClusteredErrors = "clustered" // of rows that may depend on each other within a game or position
	NoErrors        = "none"      // too few clusters
)

// String describes the errors in words.
func (e StandardErrors) String() string {
	switch e.Kind {
	case ClusteredErrors:
		return fmt.Sprintf("clustered by game or situation, %d clusters", e.Clusters)
	case NoErrors:
		return fmt.Sprintf("none, the rows are of only %d games or situations", e.Clusters)
	}
	return e.Kind + ", each row is independent"
}

// Describe is String, and adds what the errors leave out if the features were selected by the same rows.
func (e StandardErrors) Describe(selected bool) string {
	text := e.String()
	if selected && e.Kind != NoErrors {
		text += "; they do not account for the selection of the features"
	}
	return text
}

// setOfColumns is the set name of weights whose features are all columns computed by another
// program.
const setOfColumns = "columns"

// ColumnsOnly is the set of such weights, without functions.
func ColumnsOnly(columns []string) Info {
	return Info{Name: setOfColumns, Features: columns, hash: func() string { return setOfColumns }}
}

// New makes weights of the given features of a set, in points per unit of own − opponent's value;
// columns names those of another program. game and rules are those of the fit (games.Info). The
// caller fills in fits and provenance.
func New(game, rules string, s Info, names []string, points []float64, columns ...string) (*Weights, error) {
	w := &Weights{
		Format: Format, Version: version, Game: game, Rules: rules,
		Set: s.Name, SetHash: s.Hash(),
		Features: slices.Clone(names), Points: slices.Clone(points),
	}
	for _, name := range names {
		if slices.Contains(columns, name) {
			w.Columns = append(w.Columns, name)
		}
	}
	if game == defaultGame {
		w.Game = ""
	}
	err := w.Check()
	if err == nil {
		err = w.checkSet(s)
	}
	if err != nil {
		return nil, err
	}
	return w, nil
}

// bySet orders values of the features by the columns of their set, 0 for missing ones.
func (w *Weights) bySet(s Info, values []float64) []float64 {
	all := make([]float64, s.Len())
	for i, x := range values {
		all[slices.Index(s.Features, w.Features[i])] = x
	}
	return all
}

// foreign refuses weights of columns computed by another program, where a function of boards is
// needed.
func (w *Weights) foreign() error {
	return fmt.Errorf("another program computed its features %s, so the engine cannot evaluate with them: `train evaluate` measures such weights on datasets with these columns", strings.Join(w.Columns, ", "))
}

// gameName returns the name of the weights' game.
func (w *Weights) gameName() string { return cmp.Or(w.Game, defaultGame) }

// Hash identifies everything that affects play (the rules, the feature definitions and the numbers)
// in 16 hexadecimal digits.
func (w *Weights) Hash() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q\n", w.Rules, w.SetHash, w.Features)
	for _, x := range w.Points {
		fmt.Fprintf(h, "%x\n", x)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// Check returns an error if the weights are invalid for any set.
func (w *Weights) Check() error {
	if w.Format != Format {
		return fmt.Errorf("format is %q: expected %q", w.Format, Format)
	}
	if w.Version != version {
		return fmt.Errorf("version is %d: expected %d", w.Version, version)
	}
	if w.Rules == "" || w.Set == "" {
		return fmt.Errorf("rules are %q and set is %q: expected both", w.Rules, w.Set)
	}
	if err := w.checkNumbers(); err != nil {
		return err
	}
	return w.Calibration.Check()
}

// checkSet compares the weights with the set that they name.
func (w *Weights) checkSet(set Info) error {
	if w.SetHash != set.Hash() {
		return fmt.Errorf("set_hash is %q: expected %q, set %s of this program; fit the weights again",
			w.SetHash, set.Hash(), set.Name)
	}
	for i, name := range w.Features {
		if !slices.Contains(set.Features, name) && !slices.Contains(w.Columns, name) {
			return fmt.Errorf("features[%d] is %q: expected one of set %s", i, name, set.Name)
		}
	}
	return nil
}

func (w *Weights) checkNumbers() error {
	if len(w.Features) == 0 {
		return fmt.Errorf("features is empty: expected names of set %s", w.Set)
	}
	if len(w.Points) != len(w.Features) {
		return fmt.Errorf("points has %d numbers: expected %d, one per feature", len(w.Points), len(w.Features))
	}
	if w.StdErr != nil && len(w.StdErr) != len(w.Features) {
		return fmt.Errorf("stderr has %d numbers: expected %d or none", len(w.StdErr), len(w.Features))
	}
	for i, name := range w.Columns {
		if !slices.Contains(w.Features, name) || slices.Contains(w.Columns[:i], name) {
			return fmt.Errorf("columns[%d] is %q: expected one of features, once", i, name)
		}
	}
	seen := make(map[string]bool, len(w.Features))
	for i, name := range w.Features {
		if seen[name] {
			return fmt.Errorf("features[%d] is %q: expected each feature once", i, name)
		}
		seen[name] = true
		most := MaxWeight
		if slices.Contains(w.Columns, name) {
			most = math.MaxFloat64
		}
		if x := w.Points[i]; !(math.Abs(x) <= most) {
			return fmt.Errorf("points[%d] is %g, the weight of %s: expected at most %g either way", i, x, name, most)
		}
		if w.StdErr != nil && !(w.StdErr[i] >= 0) {
			return fmt.Errorf("stderr[%d] is %g: expected zero or more", i, w.StdErr[i])
		}
	}
	if kinds := []string{OrdinaryErrors, ClusteredErrors, NoErrors}; w.Errors != nil && !slices.Contains(kinds, w.Errors.Kind) {
		return fmt.Errorf("errors.kind is %.40q: expected %s", w.Errors.Kind, strings.Join(kinds, ", "))
	}
	return nil
}

// marshal encodes the weights deterministically.
func (w *Weights) marshal() ([]byte, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	return marshalIndented(w)
}

func marshalIndented(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // feature names begin with < and >
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Provenance describes how weights were made. All fields are optional and informational.
type Provenance struct {
	Name       string   `json:"name,omitempty"`       // such as thesis4
	Source     string   `json:"source,omitempty"`     // origin of published weights
	Dataset    string   `json:"dataset,omitempty"`    // SHA-256 of the file of training rows, if there is one
	Validation string   `json:"validation,omitempty"` // SHA-256 of the validation rows' file
	Datasets   []string `json:"datasets,omitempty"`   // SHA-256 of the files of training rows, if there are several
	Ridge      Ridges   `json:"ridge,omitempty"`
	// ScaledCondition is the condition number of the columns scaled to length 1; nil if not measured.
	ScaledCondition *float64 `json:"scaled_condition,omitempty"`
	Selection       string   `json:"selection,omitempty"` // how features were selected, with the tolerance
	Removed         []string `json:"removed,omitempty"`   // features dropped, in order
	Aliased         []string `json:"aliased,omitempty"`   // features without a weight, since earlier ones determine them
	Labels          string   `json:"labels,omitempty"`    // limits of the labelling search, or several
	Engine          string   `json:"engine,omitempty"`    // signature of the labelling engine, or several, separated by "; "
	Tool            string   `json:"tool,omitempty"`      // revision of the program that fitted them
	Made            string   `json:"made,omitempty"`      // command
	Weight          string   `json:"weight,omitempty"`    // column of the rows' weights
	Where           string   `json:"where,omitempty"`     // filter of the rows
	Parent          string   `json:"parent,omitempty"`    // hash of the previous round's weights
	Prior           string   `json:"prior,omitempty"`     // hash of the weights that the penalties pull towards
	Trust           float64  `json:"trust,omitempty"`     // prior rows per training row
	Round           int      `json:"round,omitempty"`
	Loss            string   `json:"loss,omitempty"`  // points or winning chances
	Scale           float64  `json:"scale,omitempty"` // hundredths of the game's unit, of the winning chances

	Stats map[string]float64 `json:"stats,omitempty"` // rows, r, mae, …
	Note  string             `json:"note,omitempty"`
}

// Ridges are the penalties of a fit by family. A single one for all columns has the name "", and is
// a plain number in a file.
type Ridges map[string]float64

// MarshalJSON implements [json.Marshaler].
func (r Ridges) MarshalJSON() ([]byte, error) {
	if one, alone := r[""]; alone && len(r) == 1 {
		return json.Marshal(one)
	}
	return json.Marshal(map[string]float64(r))
}

// UnmarshalJSON implements [json.Unmarshaler].
func (r *Ridges) UnmarshalJSON(data []byte) error {
	var one float64
	if len(data) > 0 && data[0] != '{' && string(data) != "null" {
		err := json.Unmarshal(data, &one)
		*r = Ridges{"": one}
		return err
	}
	return json.Unmarshal(data, (*map[string]float64)(r))
}

// maxFile limits what a weights file can make a reader allocate.
const maxFile = 1 << 20

// sealed is the content of a weights file: the weights and a checksum, which detects a flipped
// digit. It is optional in files written by hand.
type sealed struct {
	*Weights
	SHA256 string `json:"sha256,omitempty"` // of the same file without this field, as Save writes it
}

// ParseWeights parses a weights file of any game and set; name is the file's in errors. It refuses
// unknown or repeated names, trailing text, wrong counts, numbers out of range, and a wrong
// checksum. [Sets.Model] checks that the set has not changed.
func ParseWeights(data []byte, name string) (*Weights, error) {
	w, err := parseWeights(data)
	return w, InFile(name, err)
}

// exported matches the start of pattern weights that [Opened.Export] has written as JSON.
var exported = regexp.MustCompile(`^\s*\{\s*"header"\s*:`)

func parseWeights(data []byte) (*Weights, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return nil, errors.New("not weights: expected a JSON object, or compiled weights")
	}
	if exported.Match(data) {
		return nil, fmt.Errorf("weights exported for other programs: expected the file that was exported, NAME%s or NAME%s",
			CompiledSuffix, modelSuffix)
	}
	s := sealed{Weights: new(Weights)}
	if err := strict.JSON(data, maxFile, &s); err != nil {
		return nil, err
	}
	sum, err := s.Weights.checksum()
	if err == nil && s.SHA256 != "" && s.SHA256 != sum {
		err = errors.New("it does not match its sha256: damaged, or changed by hand; if the change was meant, " +
			"delete the sha256 field")
	}
	return s.Weights, err
}

// checksum checks the weights, and returns the hash of their text.
func (w *Weights) checksum() (string, error) {
	text, err := w.marshal()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// seal returns the content of a file. Equal weights give equal bytes.
func (w *Weights) seal() ([]byte, error) {
	sum, err := w.checksum()
	if err != nil {
		return nil, err
	}
	return marshalIndented(sealed{w, sum})
}

// Save writes the weights to a file atomically.
func (w *Weights) Save(path string) error {
	data, err := w.seal()
	if err != nil {
		return fmt.Errorf("cannot save weights to %s: %w", path, err)
	}
	return atomicfile.WriteBytes(path, data)
}
