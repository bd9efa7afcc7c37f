//go:build !(linux && amd64)

package main

import (
	"context"
	"errors"
)

// fault is the call that a run is to fail in.
type fault struct {
	n    int
	call string
}

func (a *attack) traced(context.Context, string, command, []string, *fault) (result, int, error) {
	return result{}, 0, errors.New("faults need Linux on amd64")
}
