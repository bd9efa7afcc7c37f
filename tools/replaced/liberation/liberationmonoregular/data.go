// Package liberationmonoregular has another face than it says: Kroo's figures use two of twelve.
package liberationmonoregular

import "codeberg.org/go-fonts/liberation/liberationsansregular"

// TTF is the regular sans-serif face.
var TTF = liberationsansregular.TTF
