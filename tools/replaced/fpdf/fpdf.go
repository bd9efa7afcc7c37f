// Package fpdf takes the place of codeberg.org/go-pdf/fpdf, with which gonum/plot writes
// PDF. Kroo's figures are SVG and PNG: a document here takes every call, and cannot be
// written.
package fpdf

import (
	"errors"
	"io"
)

var errNone = errors.New("this program writes no PDF: expected SVG or PNG")

// What gonum/plot names of the library.
type (
	Fpdf         struct{}
	SizeType     struct{ Wd, Ht float64 }
	FontDescType struct{ Ascent, Descent int }
	ImageOptions struct {
		ImageType string
		ReadDpi   bool
	}
	ImageInfoType struct{}
	InitType      struct {
		UnitStr string
		Size    SizeType
	}
)

// NewCustom begins a document.
func NewCustom(*InitType) *Fpdf { return &Fpdf{} }

// MakeFont fails.
func MakeFont(_, _, _ string, _ io.Writer, _ bool) error { return errNone }

// Output fails.
func (*Fpdf) Output(io.Writer) error { return errNone }

// The rest has no effect.
func (*Fpdf) AddFontFromBytes(_, _ string, _, _ []byte)                                          {}
func (*Fpdf) AddPage()                                                                           {}
func (*Fpdf) Arc(_, _, _, _, _, _, _ float64, _ string)                                          {}
func (*Fpdf) CellFormat(_, _ float64, _, _ string, _ int, _ string, _ bool, _ int, _ string)     {}
func (*Fpdf) Close()                                                                             {}
func (*Fpdf) ClosePath()                                                                         {}
func (*Fpdf) CurveBezierCubicTo(_, _, _, _, _, _ float64)                                        {}
func (*Fpdf) CurveTo(_, _, _, _ float64)                                                         {}
func (*Fpdf) DrawPath(string)                                                                    {}
func (*Fpdf) GetCellMargin() float64                                                             { return 0 }
func (*Fpdf) GetFontDesc(_, _ string) FontDescType                                               { return FontDescType{} }
func (*Fpdf) GetFontSize() (float64, float64)                                                    { return 0, 0 }
func (*Fpdf) GetStringWidth(string) float64                                                      { return 0 }
func (*Fpdf) ImageOptions(_ string, _, _, _, _ float64, _ bool, _ ImageOptions, _ int, _ string) {}
func (*Fpdf) LineTo(_, _ float64)                                                                {}
func (*Fpdf) MoveTo(_, _ float64)                                                                {}
func (*Fpdf) PageNo() int                                                                        { return 0 }
func (*Fpdf) RegisterImageOptionsReader(string, ImageOptions, io.Reader) *ImageInfoType          { return nil }
func (*Fpdf) SetAlpha(float64, string)                                                           {}
func (*Fpdf) SetDashPattern([]float64, float64)                                                  {}
func (*Fpdf) SetDrawColor(_, _, _ int)                                                           {}
func (*Fpdf) SetFillColor(_, _, _ int)                                                           {}
func (*Fpdf) SetFont(_, _ string, _ float64)                                                     {}
func (*Fpdf) SetLineWidth(float64)                                                               {}
func (*Fpdf) SetMargins(_, _, _ float64)                                                         {}
func (*Fpdf) SetTextColor(_, _, _ int)                                                           {}
func (*Fpdf) TransformBegin()                                                                    {}
func (*Fpdf) TransformEnd()                                                                      {}
func (*Fpdf) TransformRotate(_, _, _ float64)                                                    {}
func (*Fpdf) TransformScale(_, _, _, _ float64)                                                  {}
func (*Fpdf) TransformTranslate(_, _ float64)                                                    {}
