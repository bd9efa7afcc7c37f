package features

import "encoding/json"

// Provenance says what weights were made of and how. Everything in it is optional; files
// keep it, and nothing computes with it.
type Provenance struct {
	Name       string   `json:"name,omitempty"`       // such as thesis4
	Source     string   `json:"source,omitempty"`     // where published weights come from
	Dataset    string   `json:"dataset,omitempty"`    // SHA-256 of the file of training rows, where there is one
	Validation string   `json:"validation,omitempty"` // SHA-256 of the validation rows' file
	Datasets   []string `json:"datasets,omitempty"`   // SHA-256 of the files of training rows, where there are several
	Ridge      Ridges   `json:"ridge,omitempty"`
	Condition  *float64 `json:"condition,omitempty"` // number of the scaled Gram matrix; 0 if not measured
	Selection  string   `json:"selection,omitempty"` // how features were selected, with the tolerance
	Removed    []string `json:"removed,omitempty"`   // features dropped, first one first
	Aliased    []string `json:"aliased,omitempty"`   // features without a weight: those before them determine them
	Labels     string   `json:"labels,omitempty"`    // limits of the labelling search, or several
	Engine     string   `json:"engine,omitempty"`    // signature of the labelling engine, or several, "; " between
	Tool       string   `json:"tool,omitempty"`      // revision of the program that fitted them
	Made       string   `json:"made,omitempty"`      // command
	Weight     string   `json:"weight,omitempty"`    // column of the rows' weights
	Where      string   `json:"where,omitempty"`     // filter of the rows
	Parent     string   `json:"parent,omitempty"`    // hash of the weights of the round before
	Prior      string   `json:"prior,omitempty"`     // hash of the weights that the penalties pull to
	Trust      float64  `json:"trust,omitempty"`     // how many rows the prior counts for each training row
	Round      int      `json:"round,omitempty"`
	Loss       string   `json:"loss,omitempty"`  // points or winning chances
	Scale      float64  `json:"scale,omitempty"` // hundredths of the game's unit, of the winning chances

	Stats map[string]float64 `json:"stats,omitempty"` // rows, r, mae, …
	Note  string             `json:"note,omitempty"`
}

// Ridges are the penalties of a fit by family. A single one for all columns has the name "",
// and is a number in a file.
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
