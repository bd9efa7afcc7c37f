package regress

// Readings of what a label is where the search has proven who wins. Labels have
// ±1000 points there, the ends of their scale.
const (
	ProvenCentre = "centre"         // 0, the middle of the scale
	ProvenWins   = "wins-at-centre" // 0 where the side to move wins; where it loses, −1000
)

// readings are the readings of proven results that a fit can set next to the
// labels as they are.
func readings() []string { return []string{ProvenCentre, ProvenWins} }

// readAs is a label in a reading.
func readAs(reading string, label float64, proven bool) float64 {
	if proven && (reading == ProvenCentre || label > 0) {
		return 0
	}
	return label
}
