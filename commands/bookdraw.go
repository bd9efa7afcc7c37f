package commands

import (
	"path/filepath"
	"strings"

	"kroo/book"
	"kroo/games/oware"
	"kroo/report"
	"kroo/run/inspect"
)

// bookPictures are the files of a book's drop-out diagrams in a folder.
func bookPictures(dir string) (list []output) {
	for _, side := range oware.Descriptor().Sides {
		list = append(list, pictures(dir, "dropout-"+strings.ToLower(side))...)
	}
	return list
}

// pictures are the two files of a figure.
func pictures(dir, name string) (list []output) {
	for _, kind := range []string{".svg", ".png"} {
		list = append(list, output{path: filepath.Join(dir, name+kind), holds: inspect.KindPicture, compared: true})
	}
	return list
}

// drawBook draws the drop-out diagrams of a book.
func drawBook(dir string, s *book.Stats) error {
	if dir == "" {
		return nil
	}
	for side := range oware.Descriptor().Sides {
		if _, err := report.SaveFigure(dir, report.DropOutOf(s.Sides[side].Leaves, oware.Side(side))); err != nil {
			return err
		}
	}
	return nil
}
