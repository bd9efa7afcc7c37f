package regress

// Config says how weights are fitted.
type Config struct {
	Select    string  `toml:"select"`    // backward or none
	Tolerance float64 `toml:"tolerance"` // of R, for backward elimination
	Ridge     float64 `toml:"ridge"`
}
