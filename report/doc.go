// Package report draws the results of a training run, and puts them on one HTML page
// that needs nothing else: no network, no script, no second file.
//
// Each figure function ([PredictedVsLabel], [CapturesVsFitted], [Residuals],
// [Elimination], [DropOut], [ScoreBar], [Chart.Draw]) takes plain numbers and returns a
// [Figure]: the same drawing as SVG and as PNG, with a caption and a text for those who
// cannot see it. [SaveFigure] writes both files. [EndgameChart] shows an endgame table.
// [WriteHTML] writes a [Page] of figures, tables and paragraphs. The page
// follows the reader's light or dark setting and prints in ink on white.
//
// Units: "points" are the scale of labels, -1000 to 1000; one seed is 1000/24 points.
// The same input gives the same bytes.
//
// Caveats: the font of an SVG file is Liberation Sans, or one of the same widths that
// the viewer has (Arial, Helvetica). A figure without data says so. Values that are not
// finite, or beyond a million points, are errors, never silently left out. A page
// embeds only plain SVG as this package draws it, and refuses scripts, styles, links
// and outside images.
package report
