// Package report draws figures, and renders documents (package internal/doc) as HTML: a page that
// needs no network, script or second file, or a part of another page.
//
// Each figure ([PredictedVsLabel], [Residuals], [Intervals], [DropOut], [Tree], [Board], [Matrix],
// [Chart]) is drawn on demand from plain numbers: as SVG and PNG, with a caption, a text for readers
// who cannot see it, and its values as a table. [SaveFigure] writes both files. [WriteHTML] writes a
// page that follows the reader's light or dark setting and prints in ink on white.
//
// Units: points are the scale of labels, -1000 to 1000; one seed is 1000/24 points. The same input
// gives the same bytes.
//
// Caveats: the font of an SVG file is Liberation Sans, or one of the same widths (Arial, Helvetica).
// A figure without data is drawn with a note. Values that are not finite, or beyond a million points,
// are errors.
package report
