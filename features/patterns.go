package features

import (
	"io"
	"strings"

	"kroo/games"
)

// Patterns are a game's pattern sets: how to parse them, and where to find and keep weights of
// their columns.
type Patterns[P games.Position[P]] struct {
	DefaultSet string   // spec of the default set
	Families   []Family // that specs can name, each numbered from column 0 and without stages
	MaxStages  int      // maximum number of stages of a family
	// Parse parses the spec of a set.
	Parse func(spec string) (Columns[P], error)
	// Find reads weights for a set by name, of a file or of the program's own.
	Find func(name, rules string, set Columns[P]) (*Model[P], error)
	// Keep writes a fitted model to the file models, and the tables that an engine plays with to
	// out.
	Keep func(m *Model[P], out, models string) (Kept, error)
	// Compile makes tables of a model, also of an antisymmetric set.
	Compile func(m *Model[P]) (Tables[P], error)
	// Unpack reads tables from a file.
	Unpack func(f Packed) (Tables[P], error)
}

// Tables are an evaluator compiled from a model, of which it is a cache.
type Tables[P any] interface {
	// Evaluate returns the value for the side to move in hundredths of the game's unit.
	Evaluate(p P) int
	// Parts breaks down the value as [Model.Parts] does.
	Parts(p P) []Part
	Header() Header
	// Hash identifies everything that affects play.
	Hash() string
	// Rounding is the maximum difference between Evaluate and the model.
	Rounding() float64
	// Export writes the tables in a format of [Opened.Export].
	Export(to io.Writer, format string) error
}

// Kept lists the files of a fit that were written.
type Kept struct {
	Model    string  `json:"model,omitempty"`    // file
	Hash     string  `json:"hash,omitempty"`     // of the model
	Compiled string  `json:"compiled,omitempty"` // file
	Play     string  `json:"play,omitempty"`     // hash of the tables
	Rounding float64 `json:"rounding,omitempty"` // maximum difference between the two, centi-seeds
}

// Extensions of the two files of a pattern fit.
const (
	CompiledSuffix = ".weights" // what an engine plays with
	modelSuffix    = ".model"   // the weights of all columns
)

// ModelPath returns the name of the model of compiled weights.
func ModelPath(out string) string { return strings.TrimSuffix(out, CompiledSuffix) + modelSuffix }
