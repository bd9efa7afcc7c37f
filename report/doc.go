// Package report draws what a training run has found and binds it into one
// HTML page that needs nothing else: no network, no script, no second file.
//
// Each figure function ([PredictedVsLabel], [CapturesVsFitted], [Residuals],
// [Elimination], [DropOut], [ScoreBar]) takes plain numbers and returns a
// [Figure], the same drawing as SVG and as PNG, with a caption and a text for
// those who cannot see it. [SaveFigure] writes both files; [Render] and
// [WriteHTML] set figures, tables and paragraphs as a [Page] that follows the
// reader's light or dark setting and prints in ink on white.
//
// Units: "points" are the project's label scale, -1000 to 1000, where one seed
// is 1000/24 points. All output is a function of the input alone: the same
// numbers give the same bytes.
//
// Caveats: text in an SVG file is set in Liberation Sans, or in what the viewer
// has of the same widths (Arial, Helvetica). Figures of no data at all are
// drawn, and say so; values that are not finite, or beyond a million points,
// are errors, never silently left out. Page embeds only SVG of the plain kind
// this package draws, and refuses scripts, styles, links and outside images.
package report
