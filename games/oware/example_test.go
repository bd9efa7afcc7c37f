package oware_test

import (
	"fmt"
	"log"
	"os"
	"strings"

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

func ExamplePosition_Rank() {
	p := oware.Start(oware.Abapa)
	fmt.Println(p.Rank(), p.BookKey())
	q, err := oware.Unrank(oware.Abapa, 6391067534472, oware.South)
	fmt.Println(q, err)
	// Output:
	// 6391067534472 15187160556680
	// 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S <nil>
}

// Reads the games of a file in OGN, the oware game notation.
func ExampleDescriptor() {
	g := oware.Descriptor()
	const text = `[Event "A short game"]
1. E b 2. D f+2 3. B {too slow} e+3 4. F f+2 5. C d+5 6. A+3 c+13 0-1`
	records, err := g.ParseRecords(strings.NewReader(text), "short.ogn")
	if err != nil {
		log.Fatal(err)
	}
	line, err := g.Replay(records[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.Tally(line))
	if err := g.WriteRecord(os.Stdout, records[0]); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 3 25
	// [Event "A short game"]
	// [Rules "abapa"]
	//
	// 1. E b 2. D f+2 3. B {too slow} e+3 4. F f+2 5. C d+5 6. A+3 c+13 0-1
}
