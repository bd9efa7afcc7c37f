// Package elo says what the results of games are worth: the lead of one player
// over another with its error, sequential tests, and the ratings of several
// players. It knows results only, neither boards nor players.
//
// Add pairs of games to a [Score] and ask it for [Score.Elo],
// [Score.NormalizedElo] or [Score.LOS]. An [SPRT] decides between two leads
// with as few games as it takes. [Rate] rates several players and [Standings]
// puts them in order.
//
// [Lines] has the interval to quote where games share openings: those of players with
// books, or from few openings.
//
// Caveats: all other errors come from pairs of games with one opening, since the two
// games of a pair are not independent. Intervals are normal approximations of the share of
// the points, rough for few pairs; a clean sweep gives a bound ([Interval]).
package elo
