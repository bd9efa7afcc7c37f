// Package farm has the searches of an [engine.Pool], and other tasks, done by workers on
// other machines. [Network] is what carries tasks there, and a [Doer] does them; the
// package says what travels between them, and trusts neither end.
package farm
