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
