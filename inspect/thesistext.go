package inspect

import (
	"fmt"
	"io"
	"strings"

	"kroo/features"
	"kroo/games"
	"kroo/internal/agreement"
)

// thesisText describes weights of an antisymmetric set for people.
func thesisText(path string, w *features.Weights, g games.Info) string {
	unit, perUnit := g.Unit, g.PointsPerUnit()
	return columns(func(out io.Writer) {
		fmt.Fprintf(out, "%s: weights %s for %s, set %s\n\nfeature\tpoints\t%ss\t± standard error\n", path, w.Hash(), w.Rules, w.Set, unit)
		for i, name := range w.Features {
			fmt.Fprintf(out, "%s\t%+.2f\t%+.3f", name, w.Points[i], w.Points[i]/perUnit)
			if i < len(w.StdErr) {
				fmt.Fprintf(out, "\t%.2f", w.StdErr[i])
			}
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out)
		for _, f := range []struct {
			name string
			fit  *agreement.Doubled
		}{{"training", w.Train}, {"validation", w.Validation}} {
			if f.fit != nil {
				fmt.Fprintf(out, "%s: %d rows, R %.4f, R² %.4f, MAE %.1f points (%.2f %ss), RMSE %.1f\n", f.name, f.fit.Rows, f.fit.R, f.fit.R2, f.fit.MAE, f.fit.MAE/perUnit, unit, f.fit.RMSE)
			}
		}
		if p := w.Provenance; len(p.Removed) > 0 {
			fmt.Fprintf(out, "selection: %s; removed %s\n", p.Selection, strings.Join(p.Removed, ", "))
		}
	})
}
