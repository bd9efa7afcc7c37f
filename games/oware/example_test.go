package oware_test

import (
	"fmt"
	"log"

	"kroo/games/oware"
)

func Example() {
	g := oware.Descriptor().NewLine(oware.Start(oware.Abapa))
	for _, letter := range []byte("EbDf") {
		m, _, err := oware.ParseMove(letter)
		if err != nil {
			log.Fatal(err)
		}
		if err := g.Play(m); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(g.Position())
	fmt.Print(g.Position().Diagram())
	// Output:
	// 6-5-5-1-0-6-6-1-6-5-5-0-0-2-S
	//    f    e    d    c    b    a
	// +----+----+----+----+----+----+
	// |  0 |  5 |  5 |  6 |  1 |  6 |
	// +----+----+----+----+----+----+
	// |  6 |  5 |  5 |  1 |  0 |  6 |
	// +----+----+----+----+----+----+
	//    A    B    C    D    E    F
	// North 2, South 0, S to move
}
