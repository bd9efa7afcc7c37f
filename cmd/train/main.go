// Train is Kroo's command: it samples, labels, fits, plays matches, grows opening books and
// plays oware. `train --help` lists the commands.
package main

import (
	"os"

	"kroo/commands"
)

func main() { os.Exit(commands.Main(commands.Games()...)) }
