package oware_test

import (
	"fmt"

	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
)

// The reduced fit of Sala Soler 2014: exactly, compiled, and taken apart.
func Example() {
	m, _ := owarefeatures.FindByName("thesis4")
	e, err := owarefeatures.Compile(m)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := oware.ParseBoard(oware.Abapa, "1-0-2-4-5-15-3-1-4-0-4-1-4-4-S")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f points, %d centi-seeds\n", m.Exact(p), e.Evaluate(p))
	for _, c := range m.Parts(p)[:3] {
		fmt.Printf("%+.2f %s\n", c.Points, c.Name)
	}
	// Output:
	// 40.51 points, 97 centi-seeds
	// +0.00 store difference
	// -51.94 houses A1
	// -78.97 houses B0
}

// A set of features, and the columns of a position in it.
func ExamplePatternSet_AppendRow() {
	s, err := owarefeatures.Parse("triples+store")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s, s.Len())
	ones, vals := s.AppendRow(nil, nil, oware.Start(oware.Abapa))
	fmt.Println(len(ones), s.ColumnName(int(ones[0])))
	fmt.Println(len(vals), s.ColumnName(int(vals[0].Index)), vals[0].Value)
	// Output:
	// store+triples 6145
	// 12 triples A4-5 B4-5 C4-5
	// 1 store difference 0
}
