// Package match plays games of oware between two players and says what the
// result is worth.
//
// Games come in pairs: an opening is played twice, with sides swapped, so that
// neither its bias nor that of the first move favours anybody. Make a
// [Config], give [Play] two functions that make the players (such as
// [NewEnginePlayer]), and read the [Result]: its [Score] has Elo difference,
// likelihood of superiority and seed difference, each with its error, and
// [Result.WriteOGN] writes the games.
//
// With [Config.Test] the match stops as soon as a sequential probability ratio
// test is decided; [Test.LLR] serves results from elsewhere.
//
// Openings are random moves, or those of a suite: [Suite] makes one of balanced
// openings, [WriteSuite] writes it and [ReadOpenings] reads it, other game
// records or a list of boards. By default the rules alone end a game;
// [AdjudicateWin] and [AdjudicateDraw] end it when both players agree on how it
// stands, and [TimeControl] puts them under clocks.
//
// The result depends on the configuration and the players alone, not on the
// number of pairs played at a time, as long as the players are reproducible
// and [Player.NewGame] makes them forget everything. With [Config.Log] set, a
// match that was killed goes on where it stopped: the games in hand are lost.
//
// A player is a searcher in this process ([NewEnginePlayer]), another program
// ([NewProgramPlayer]), or whatever else has the methods of [Player]. [CrossTable]
// and [Rate] make a table and ratings of the results of several.
//
// Caveats: a player that makes an illegal move, oversteps its time, returns an
// error or panics loses that game and the match goes on; look at
// [Score.Forfeits] before you believe a score. The game that a player is given
// is the referee's own. A player who does not give up when its context is done
// holds up the match. Clocks measure wall time, and pairs in play share the
// processors: set [Config.Concurrency] no higher than there are to spare.
package match
