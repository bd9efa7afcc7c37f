// Package weights says what weights of any kind hold, by file or by name: [Load] reads
// them, to be summed up, exported, or put side by side ([Compare]); [Explain] takes the
// value of a position of oware apart.
package weights
