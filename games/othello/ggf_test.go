package othello

import (
	"strings"
	"testing"
)

// The record of the protocol's own description.
const protocolGame = "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)"

func TestGGFOfTheProtocol(t *testing.T) {
	l, c, err := ParseGGF(protocolGame)
	if err != nil {
		t.Fatal(err)
	}
	if l.Start() != Start(Large) || l.Text() != "f5 f6 d3 c5 e6 f7 e7 f4" || c != [2]float64{900, 900} {
		t.Errorf("%v: %s, %+v", l.Start(), l.Text(), c)
	}
	again, _, err := ParseGGF(WriteGGF(l, 61))
	if err != nil || again.Text() != l.Text() || again.Start() != l.Start() {
		t.Errorf("%s: error %v", WriteGGF(l, 61), err)
	}
	if want := "TI[1:01]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6]"; !strings.Contains(WriteGGF(l, 61), want) {
		t.Errorf("%s: expected %s", WriteGGF(l, 61), want)
	}
}

func TestGGFTellsTheTimeUsed(t *testing.T) {
	_, c, err := ParseGGF("(;GM[Othello]TI[1:00/0:05,2]BO[8 ---------------------------O*------*O--------------------------- *]B[F5//1.5]W[F6/-2.00/0.25]B[D3/1/2];)")
	if err != nil || c != [2]float64{60 - 3.5, 60 - 0.25} {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestGGFRefuses(t *testing.T) {
	const board = "BO[8 ---------------------------O*------*O--------------------------- *]"
	for text, want := range map[string]string{
		"":                          "is no record",
		"(;GM[Othello]":             "is no record",
		"(;GM[Chess];)":             "expected Othello",
		"(;GM;)":                    "expected NAME[value]",
		"(;" + board + "W[F5];)":    "ply 1: W[F5]: expected a move of B",
		"(;" + board + "B[A1];)":    "ply 1: illegal move a1",
		"(;" + board + "B[F9];)":    "is no move",
		"(;" + board + "B[PA];)":    "illegal move pass",
		"(;" + board + board + ";)": "a second one",
		"(;BO[6 ----];)":            "expected 8",
		"(;BO[8 ---- *];)":          "board of 4 squares",
		"(;BO[8 " + strings.Repeat("*", 64) + " *];)": "ends the game",
	} {
		if _, _, err := ParseGGF(text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60s: error %v, want %s", text, err, want)
		}
	}
}

func FuzzGGF(f *testing.F) {
	f.Add(protocolGame)
	f.Add("(;B[F5/1/2]W[d6];)")
	f.Fuzz(func(t *testing.T, text string) {
		l, c, err := ParseGGF(text)
		if err != nil {
			return
		}
		if c[Dark] < 0 || c[Light] < 0 {
			t.Errorf("%q: %+v", text, c)
		}
		again, _, err := ParseGGF(WriteGGF(l, 0))
		if err != nil || again.Text() != l.Text() || again.Start() != l.Start() {
			t.Errorf("%q: written as %s, error %v", text, WriteGGF(l, 0), err)
		}
	})
}
