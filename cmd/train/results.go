package main

import "io"

// results is where commands print what they have found. It remembers the first write
// that failed, on a full disk for example: many prints do not look at their error, and
// a command whose results are lost has failed.
type results struct {
	to  io.Writer
	err error
}

func (r *results) Write(b []byte) (int, error) {
	n, err := r.to.Write(b)
	if r.err == nil {
		r.err = err
	}
	return n, err
}
