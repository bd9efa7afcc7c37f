package main

import "testing"

func TestPackedCode(t *testing.T) {
	text := `package p

func f() (err error) {
	if x := g(); x {
		a, b = b, a
	}
	if err = h(); err != nil {
		return err
	}
	if n++; n > 1 {
		a, b, c = 1, 2, 3
	}
	switch n = 2; n {
	}
	a, b, c = three()
	return nil
}

func opened() {}
func feed()   {}
func isOpened() {}
`
	findings(t, packedCode, map[string]string{"a/x.go": text, "a/x_test.go": text},
		"a/x.go:10: a header", "a/x.go:11: three", "a/x.go:13: a header", "a/x.go:19: function opened")
}
