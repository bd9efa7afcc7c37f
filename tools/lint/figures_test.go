package main

import "testing"

func TestStrayFigures(t *testing.T) {
	list := []source{
		{path: "README.md", text: "| strong | +636 Elo [+536,\n+879] | or −7 ± 17 Elo, +57 ± 40 Elo, 3 to 4.5 million |"},
		{path: "docs/a.md", text: "**+636 Elo\n[+536, +879]**, and −7 ± 17; +57 ± 41; 3 to 4.5 million nodes/s"},
		{path: "CHANGELOG.md", text: "+57 ± 40"},
	}
	got := strayFigures(list)
	if len(got) != 1 || got[0] != "README.md:1: +57 ± 40 is in no document: put it there, with the command that reproduces it" {
		t.Errorf("found %q", got)
	}
}
