// Package launch is what a coordinator and the program of its server say to each other. It
// is a package of its own so that the program holds nothing of the coordinator.
package launch

// Server is what the program is asked for, in a line of JSON on its standard input. It
// serves until that ends.
type Server struct {
	Listen     string `json:"listen"` // HOST:PORT
	Token      string `json:"token,omitempty"`
	Key        string `json:"key,omitempty"` // public one of an NKey
	Cert       string `json:"cert,omitempty"`
	CertKey    string `json:"cert_key,omitempty"`
	MaxMessage int    `json:"max_message"` // bytes
}

// Served is its answer, in a line of JSON: where it listens, or why it does not.
type Served struct {
	Address string `json:"address,omitempty"`
	Error   string `json:"error,omitempty"`
}
