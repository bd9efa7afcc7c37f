package report

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kroo/internal/doc"
)

// ScoreBar has the games that the first player won, drew and lost against the second, as parts
// of one bar. Counts must not be negative.
type ScoreBar struct {
	First, Second    string
	Won, Drawn, Lost int
}

// Draw implements [doc.Drawing].
func (s ScoreBar) Draw() (doc.Figure, error) {
	won, drawn, lost := s.Won, s.Drawn, s.Lost
	f := doc.Figure{Name: "score"}
	const most = 1 << 40
	if min(won, drawn, lost) < 0 || max(won, drawn, lost) > most {
		return doc.Figure{}, fmt.Errorf("score: %d won, %d drawn, %d lost: expected counts from 0 to %d", won, drawn, lost, most)
	}
	title := clean(s.First) + " against " + clean(s.Second)
	const height = 116
	games := won + drawn + lost
	if games == 0 {
		return noData(f, wide, height, title, "no games")
	}
	percent := 100 * (float64(won) + float64(drawn)/2) / float64(games)
	line := fmt.Sprintf("won %s, drawn %s, lost %s of %s: %s %% of the points", Count(won), Count(drawn), Count(lost), Plural(games, "game"), Number(percent, 1))
	f.Alt = title + ": " + line + "."
	f.Caption = "Share of games won, drawn and lost."
	parts := []struct {
		in, on ink
		n      int
		name   string
	}{{blue, paper, won, "won"}, {muted, paper, drawn, "drawn"}, {orange, paper, lost, "lost"}}
	return paint(f, size{wide, height}, size{phone, height + 40}, func(dc draw.Canvas) {
		dc = heading(dc, title, line)
		var marks []mark
		x, unit := dc.Min.X, (dc.Max.X-dc.Min.X)/vg.Length(games)
		for _, part := range parts {
			marks = append(marks, boxMark(part.in, part.name))
			end := x + unit*vg.Length(part.n)
			sty := style(11, part.on, draw.XCenter, draw.YCenter)
			if end > x {
				box(dc, part.in, x, dc.Min.Y, end, dc.Min.Y+32)
			}
			if end-x > sty.Width(Count(part.n))+6 {
				write(dc, sty, vg.Point{X: (x + end) / 2, Y: dc.Min.Y + 16}, Count(part.n))
			}
			x = end
		}
		key(dc, marks...)
	})
}
