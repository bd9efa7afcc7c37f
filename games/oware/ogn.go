package oware

import (
	"io"

	"kroo/games"
)

// Record is a game in OGN, the oware game notation. It is under the rules of
// its Start.
type Record = games.Record[Position]

// Tag is one line of the head of a record: [Name "Value"].
type Tag = games.Tag

// MoveText is a move of a record with its comment.
type MoveText = games.MoveText

// The tags that have a meaning here; all others are kept as they are.
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
	Unknown   = games.Unknown // unfinished, or nothing is said
)

// ParseOGN reads all the game records of r; file is its name for the errors.
// It is [games.Game.ParseRecords] for oware.
func ParseOGN(r io.Reader, file string) ([]Record, error) { return descriptor.ParseRecords(r, file) }

// WriteOGN writes a record. It is [games.Game.WriteRecord] for oware.
func WriteOGN(w io.Writer, rec Record) error { return descriptor.WriteRecord(w, rec) }

// Replay plays the moves of a record. It refuses moves that the rules do not
// allow.
func Replay(rec Record) (*Game, error) {
	l, err := descriptor.Replay(rec)
	if err != nil {
		return nil, err
	}
	return &Game{*l}, nil
}
