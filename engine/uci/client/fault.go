package client

import "fmt"

// kind is a kind of Fault.
type kind string

// The kinds of faults.
const (
	kindCrashed kind = "crashed" // it ended, or closed its output
	kindHung    kind = "hung"    // it did not answer at all
	kindLate    kind = "late"    // it answered after the time of the move
	kindIllegal kind = "illegal" // its move is not legal
	kindGarbage kind = "garbage" // it wrote what is not the protocol
)

// misdeed is what a program did wrong. The program has been ended.
type misdeed struct {
	Kind   kind
	Detail string // one line
}

// Error is the kind and the detail.
func (f *misdeed) Error() string { return string(f.Kind) + ": " + f.Detail }

// ErrNoMove is the fault of a program that says that there is no move.
var ErrNoMove error = fault(kindIllegal, "no move where there is one")

func fault(k kind, format string, args ...any) *misdeed {
	return &misdeed{k, fmt.Sprintf(format, args...)}
}
