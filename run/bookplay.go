package run

import (
	"kroo/engine"
	"kroo/match"
)

// BookPlay says how play from the book is measured against play without it.
type BookPlay struct {
	match.Config
	engine.BookPolicy // of the player with the book
}
