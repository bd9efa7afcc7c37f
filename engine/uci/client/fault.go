package client

import "fmt"

// Kind is a kind of Fault.
type Kind string

// The kinds of faults.
const (
	Crashed Kind = "crashed" // it ended, or closed its output
	Hung    Kind = "hung"    // it did not answer at all
	Late    Kind = "late"    // it answered after the time of the move
	Illegal Kind = "illegal" // its move is not legal
	Garbage Kind = "garbage" // it wrote what is not the protocol
)

// Fault is what a program did wrong. The program has been ended.
type Fault struct {
	Kind   Kind
	Detail string // one line
}

// Error is the kind and the detail.
func (f *Fault) Error() string { return string(f.Kind) + ": " + f.Detail }

func fault(k Kind, format string, args ...any) *Fault {
	return &Fault{k, fmt.Sprintf(format, args...)}
}
