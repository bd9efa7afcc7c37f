// Package match plays matches and tournaments and reports the strength of the players. It works for
// any game that has an [engine.Kit].
//
// [Run] plays a match from start to end: a [Config] sets the conditions, an [engine.Spec] describes
// each player, and a [Summary] reports the score, the Elo difference, the likelihood of superiority
// and the final difference with their errors (see package match/elo). [RunTournament] does the same
// for several players.
//
// Games come in pairs: each opening is played twice, with sides swapped. Openings are random moves,
// or those of a suite ([MakeOpenings]), of game records or of a list of boards. From a single opening
// only players that vary ([engine.Vary]) play different games; [Summary].Distinct is their share.
//
// By default only the rules end a game; [AdjudicateWin] and [AdjudicateDraw] end it when both
// players agree on the result, and [engine.TimeControl] adds clocks. With [Config.Test] the match stops as
// soon as a sequential probability ratio test is decided.
//
// The result depends only on the configuration and the players, and not on the number of pairs
// played at a time, if the players are reproducible and forget everything between games. With
// [Config.Log] set, a match that was killed resumes where it stopped; only the games in progress are
// lost.
//
// Inside, Run calls contest, which opens the players; runMatch, which makes a referee; its
// playUnfinished, which keeps the log; runHere, or runRemote on a farm; playPair for the two games of
// a pair; playGame, which asks the players for moves in turn.
//
// Caveats: a player that makes an illegal move, oversteps its time, returns an error or panics loses
// that game and the match continues; check [elo.Score].Forfeits before you trust a score. A player
// that ignores the end of its context holds up the match. Clocks measure wall time, and pairs played
// at a time share the processors: set [Config.Concurrency] no higher than the number of idle ones.
package match
