// Train is Kroo's program for kalah.
package main

import (
	"os"

	"example.org/kalah"
	"kroo/commands"
)

func main() { os.Exit(commands.Main(commands.GameOf(kalah.Kit()))) }
