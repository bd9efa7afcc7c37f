// Package gametest holds the tests that every game's description passes. A
// game's package calls [Run] from a test of its own.
package gametest
