package main

import (
	"strings"

	"kroo/engine"
)

// evaluationNames lists the evaluations of oware that have a name, for help.
func evaluationNames() string { return strings.Join(engine.Oware().Names, ", ") }
