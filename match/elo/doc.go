// Package elo computes the strength of players from the results of their games: the lead of one
// player over another with its error, sequential tests, and the ratings of several players. It is
// independent of the game.
//
// Add pairs of games to a [Score] and call [Score.Elo], [Score.NormalizedElo] or [Score.LOS]. An
// [SPRT] decides between two leads with as few games as possible. [Standings] rates
// and ranks several players.
//
// Where games share openings, as with books or few openings, quote the interval of [Lines].
//
// Caveats: all other errors come from pairs of games with one opening, since the two games of a pair
// are not independent. Intervals are normal approximations of the share of the points, rough for few
// pairs; a clean sweep gives a bound ([Interval]).
package elo
