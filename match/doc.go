// Package match plays games between two players, or several, and says what the
// results are worth. It works for any game that has an [engine.Kit].
//
// [Run] does all of a match: a [Config] says how it is played, a
// [engine.Spec] for each player what plays, and a [Summary] has the score,
// the Elo difference, likelihood of superiority and final difference with
// their errors (see package match/elo). [RunTournament] does the same for
// several players.
//
// Games come in pairs: an opening is played twice, with sides swapped, so that
// neither its bias nor that of the first move favours anybody. Openings are
// random moves, or those of a suite: [MakeOpenings] makes one of balanced
// openings; other game records and lists of boards serve as well. From one
// opening alone, such as the start position, only players that vary
// ([engine.Vary]) play more than one game; [Summary].Distinct reports how many
// games differ.
//
// By default the rules alone end a game; [AdjudicateWin] and [AdjudicateDraw]
// end it when both players agree on how it stands, and [TimeControl] puts them
// under clocks. With [Config.Test] the match stops as soon as a sequential
// probability ratio test is decided.
//
// The result depends on the configuration and the players alone, not on the
// number of pairs played at a time, as long as the players are reproducible and
// forget everything between two games. With [Config.Log] set, a
// match that was killed continues where it stopped: the games in hand are lost.
//
// Caveats: a player that makes an illegal move, oversteps its time, returns an
// error or panics loses that game and the match continues; look at
// [elo.Score].Forfeits before you believe a score. A player that does not give
// up when its context is done holds up the match. Clocks measure wall time,
// and pairs in play share the processors: set [Config.Concurrency] no higher
// than there are to spare.
package match
