package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
)

// Inside a page an SVG document could run scripts and fetch files, so the page
// takes it apart and writes down again only what a drawing needs.
var (
	drawingElements = map[string]bool{"svg": true, "g": true, "path": true, "text": true, "desc": true}
	// The values are limited too: no url(...), no quotes that could end the attribute.
	drawingAttributes = sync.OnceValue(func() map[string]*regexp.Regexp {
		return map[string]*regexp.Regexp{
			"viewBox":    regexp.MustCompile(`^[-+0-9. ]+$`),
			"width":      regexp.MustCompile(`^[0-9.]+(pt|px)?$`),
			"height":     regexp.MustCompile(`^[0-9.]+(pt|px)?$`),
			"x":          regexp.MustCompile(`^[-+0-9.e]+$`),
			"y":          regexp.MustCompile(`^[-+0-9.e]+$`),
			"d":          regexp.MustCompile(`^[-+0-9.,e MLAQCZ]*$`),
			"textLength": regexp.MustCompile(`^[0-9.]+$`), "lengthAdjust": regexp.MustCompile(`^[a-zA-Z]+$`),
			"transform": regexp.MustCompile(`^((scale|translate|rotate)\([-+0-9., e]+\) ?)+$`),
			"style":     regexp.MustCompile(`^((fill|stroke|font)(-[a-z]+)?:[#A-Za-z0-9.,' -]+;?)*$`),
		}
	})
)

// inlineSVG rewrites a document as an element of an HTML page, its inks
// replaced by the page's variables. Alt is escaped text.
func inlineSVG(svg []byte, alt string) (string, error) {
	in, depth := xml.NewDecoder(bytes.NewReader(svg)), 0
	var out strings.Builder
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", fmt.Errorf("svg: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if (t.Name.Local == "svg") != (depth == 0) {
				return "", fmt.Errorf("svg: element %.40q at depth %d, expected one svg around all", t.Name.Local, depth)
			}
			if err := openElement(&out, t, alt); err != nil {
				return "", err
			}
			depth++
		case xml.EndElement:
			depth--
			out.WriteString("</" + t.Name.Local + ">")
		case xml.CharData:
			if depth > 0 {
				xml.EscapeText(&out, bytes.TrimSpace(t)) // a strings.Builder takes every write
			}
		case xml.Directive:
			return "", errors.New("svg: document type declaration, expected none")
		}
	}
	if out.Len() == 0 {
		return "", errors.New("svg: no svg element")
	}
	return out.String(), nil
}

func openElement(out *strings.Builder, t xml.StartElement, alt string) error {
	name := t.Name.Local
	if !drawingElements[name] || t.Name.Space != "" && t.Name.Space != "http://www.w3.org/2000/svg" {
		return fmt.Errorf("svg: element %.40q has no place in a drawing", name)
	}
	out.WriteString("<" + name)
	if name == "svg" {
		// One in the page's language, named by what it shows.
		out.WriteString(` role="img" aria-label="` + alt + `"`)
	}
	for _, a := range t.Attr {
		if a.Name.Space == "xmlns" || a.Name.Local == "xmlns" || name == "svg" && a.Name.Local == "role" {
			continue
		}
		allowed := drawingAttributes()[a.Name.Local]
		if allowed == nil || a.Name.Space != "" || !allowed.MatchString(a.Value) {
			return fmt.Errorf("svg: attribute %.40q of %s has no place in a drawing", a.Name.Local, name)
		}
		value := a.Value
		if a.Name.Local == "style" {
			value = themed.Replace(value)
		}
		out.WriteString(" " + a.Name.Local + `="` + value + `"`)
	}
	out.WriteString(">")
	return nil
}
