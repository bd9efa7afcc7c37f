package chess_test

import (
	"fmt"
	"log"

	"kroo/games/chess"
)

// The shortest game that ends in mate.
func Example() {
	l := chess.Descriptor().NewLine(chess.Start(chess.Full))
	if err := l.PlayText("f2f3 e7e5 g2g4 d8h4"); err != nil {
		log.Fatal(err)
	}
	_, reason, _ := l.Over()
	fmt.Println(l.Position())
	fmt.Println(reason, l.Outcome())
	// Output:
	// rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 0 1
	// checkmate Black wins
}

func ExampleParseBoard() {
	p, err := chess.ParseBoard(chess.Full, "8/4P1k1/8/8/8/8/8/K7 w - - 0 1")
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range p.AppendMoves(nil) {
		fmt.Print(chess.MoveName(m), " ")
	}
	// Output: e7e8q e7e8r e7e8b e7e8n a1a2 a1b2 a1b1
}
