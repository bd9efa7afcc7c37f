package oware

import (
	"io"

	"kroo/games"
)

// Record is a game in OGN, the oware game notation. Its Start tells the rules.
type Record = games.Record[Position]

// Tag is a line at the head of a record: [Name "Value"].
type Tag = games.Tag

// MoveText is a move of a record with its comment.
type MoveText = games.MoveText

// The tags that have a meaning here. A record keeps all others as they are.
const (
	TagRules  = games.TagRules  // the rule set, abapa if absent
	TagFEN    = games.TagFEN    // the initial board in the notation of ParseBoard
	TagResult = games.TagResult // the same as the result token
)

// The results of a record.
const (
	SouthWins = games.FirstWins
	NorthWins = games.SecondWins
	DrawnGame = games.DrawnGame
	Unknown   = games.Unknown // the game is unfinished, or the record does not say
)

// ParseOGN reads all game records of r. Errors mention file, its name. It is [games.Game.ParseRecords] for oware.
func ParseOGN(r io.Reader, file string) ([]Record, error) { return descriptor.ParseRecords(r, file) }

// WriteOGN writes a record. It is [games.Game.WriteRecord] for oware.
func WriteOGN(w io.Writer, rec Record) error { return descriptor.WriteRecord(w, rec) }

// Replay plays the moves of a record. The error names the first move that is not
// legal.
func Replay(rec Record) (*Game, error) {
	l, err := descriptor.Replay(rec)
	if err != nil {
		return nil, err
	}
	return &Game{*l}, nil
}
