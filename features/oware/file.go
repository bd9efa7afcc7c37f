package oware

// Header is what a weights file says of its content, and an evaluator of its
// origin.
type Header struct {
	Set        string     `json:"set"`            // canonical spec
	SetHash    string     `json:"set_hash"`       // Set.Hash
	Columns    int        `json:"columns"`        // Set.Len
	Rules      string     `json:"rules"`          // oware.Rules.String
	Weights    string     `json:"weights"`        // Model.Hash
	Play       string     `json:"play,omitempty"` // Evaluator.Hash, of compiled files
	Provenance Provenance `json:"provenance"`
}

func (m *Model) header() Header {
	return Header{
		Set: m.Set.String(), SetHash: m.Set.Hash(), Columns: m.Set.Len(),
		Rules: m.Rules, Weights: m.Hash(), Provenance: m.Provenance,
	}
}
