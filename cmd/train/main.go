// Train is Kroo's command: it samples oware positions, labels, fits, plays
// matches, grows opening books and plays. `train --help` lists the commands.
package main

import (
	"os"

	"kroo/commands"
)

func main() { os.Exit(commands.Main(commands.Games()...)) }
