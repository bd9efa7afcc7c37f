// Package report draws figures, and writes documents (package internal/doc) as HTML: a page that
// needs nothing else, no network, no script, no second file, or a part of another page.
//
// Each figure ([PredictedVsLabel], [Residuals], [Intervals], [DropOutOf], [Tree],
// [Board], [Matrix], [Chart]) takes plain numbers and is drawn when it is looked at: the same
// drawing as SVG and as PNG, with a caption, a text for those who cannot see it, and its values as
// a table. [SaveFigure] writes both files. [WriteHTML] writes a page. It
// follows the reader's light or dark setting and prints in ink on white.
//
// Units: "points" are the scale of labels, -1000 to 1000; one seed is 1000/24 points.
// The same input gives the same bytes.
//
// Caveats: the font of an SVG file is Liberation Sans, or one of the same widths that
// the viewer has (Arial, Helvetica). A figure without data says so. Values that are not
// finite, or beyond a million points, are errors, never silently left out. A page
// has only what this package draws, without scripts and styles of elements.
package report
