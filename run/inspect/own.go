package inspect

import (
	"fmt"

	"kroo/book"
	"kroo/endgame"
	"kroo/games/oware"
	"kroo/internal/doc"
)

// own describes the embedded defaults.
type own struct {
	Weights any `json:"weights"`
	Book    any `json:"book"`
	Tables  any `json:"tables"`
}

// ownDoc describes the defaults: weights, book and endgame table.
func ownDoc(all Games) (*doc.Doc, error) {
	w, err := all.describeWeights(book.DefaultName)
	if err != nil {
		return nil, err
	}
	b, err := book.Describe(book.DefaultName)
	if err != nil {
		return nil, err
	}
	t, err := endgame.Default(oware.Abapa)
	if err != nil {
		return nil, err
	}
	d := &doc.Doc{
		Title: fmt.Sprintf("what comes with the program for %s under %s rules", oware.Descriptor().Name, oware.Abapa),
		Value: own{w.Value, b.Value, t.Doc().Value},
	}
	d.AddDoc("weights", w)
	d.AddDoc("book", b)
	d.AddDoc("tables", t.Doc())
	return d, nil
}
