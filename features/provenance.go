package features

import "encoding/json"

// Provenance describes how weights were made. All fields are optional and informational.
type Provenance struct {
	Name       string   `json:"name,omitempty"`       // such as thesis4
	Source     string   `json:"source,omitempty"`     // origin of published weights
	Dataset    string   `json:"dataset,omitempty"`    // SHA-256 of the file of training rows, if there is one
	Validation string   `json:"validation,omitempty"` // SHA-256 of the validation rows' file
	Datasets   []string `json:"datasets,omitempty"`   // SHA-256 of the files of training rows, if there are several
	Ridge      Ridges   `json:"ridge,omitempty"`
	Condition  *float64 `json:"condition,omitempty"` // condition number of the scaled Gram matrix; 0 if not measured
	Selection  string   `json:"selection,omitempty"` // how features were selected, with the tolerance
	Removed    []string `json:"removed,omitempty"`   // features dropped, in order
	Aliased    []string `json:"aliased,omitempty"`   // features without a weight, since earlier ones determine them
	Labels     string   `json:"labels,omitempty"`    // limits of the labelling search, or several
	Engine     string   `json:"engine,omitempty"`    // signature of the labelling engine, or several, separated by "; "
	Tool       string   `json:"tool,omitempty"`      // revision of the program that fitted them
	Made       string   `json:"made,omitempty"`      // command
	Weight     string   `json:"weight,omitempty"`    // column of the rows' weights
	Where      string   `json:"where,omitempty"`     // filter of the rows
	Parent     string   `json:"parent,omitempty"`    // hash of the previous round's weights
	Prior      string   `json:"prior,omitempty"`     // hash of the weights that the penalties pull towards
	Trust      float64  `json:"trust,omitempty"`     // prior rows per training row
	Round      int      `json:"round,omitempty"`
	Loss       string   `json:"loss,omitempty"`  // points or winning chances
	Scale      float64  `json:"scale,omitempty"` // hundredths of the game's unit, of the winning chances

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
