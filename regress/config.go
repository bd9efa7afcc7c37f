package regress

// Config says how weights are fitted.
type Config struct {
	Select    string  `toml:"select"`    // none, backward or least-weight
	Tolerance float64 `toml:"tolerance"` // of R, for a selection
	Ridge     float64 `toml:"ridge"`
}
