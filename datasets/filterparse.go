package datasets

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kroo/internal/strict"
	"kroo/internal/wording"
)

// filterName is a name that a filter can use: a column, or the difference of a feature, own minus
// opponent's, to which weights are fitted.
type filterName struct {
	name    string
	typ     columnType
	choices []string // of a column of text; nil means any
	*expression
}

// namesOf lists the columns, those of little interest last, and the features that no column shares
// a name with.
func namesOf(cols []column, features []string) (all []filterName) {
	at := func(name string) int { return indexOf(cols, name) }
	for _, hidden := range []bool{false, true} {
		for i, c := range cols {
			if c.hidden == hidden {
				all = append(all, filterName{c.name, c.typ, c.choices, ofColumn(i, c.typ)})
			}
		}
	}
	for _, f := range features {
		plain := ColumnName(f)
		own, other := at("own_"+plain), at("opp_"+plain)
		for _, name := range slices.Compact([]string{f, plain}) {
			if own >= 0 && other >= 0 && at(name) < 0 {
				all = append(all, filterName{name, typeFloat64, nil,
					combine("-", ofColumn(own, typeUint8), ofColumn(other, typeUint8))})
			}
		}
	}
	return all
}

// parseFilter parses a condition such as "captures>3, exact=true or (phase<=20 and best!=F)" over
// the columns and features of a table. A comma is "and", which binds more tightly than "or".
// Numbers and columns of numbers can be added and subtracted; a feature's name is its difference,
// own minus the other side's. An empty text selects all rows.
func parseFilter(text string, cols []column, features []string) (*expression, error) {
	p := &filterParser{rest: strings.TrimSpace(text), names: namesOf(cols, features)}
	if p.rest == "" {
		return nil, nil
	}
	p.longestFirst = slices.Clone(p.names)
	slices.SortStableFunc(p.longestFirst, func(a, b filterName) int { return cmp.Compare(len(b.name), len(a.name)) })
	wanted := p.condition(0)
	if p.rest != "" {
		p.fail("%.60q follows a whole condition: expected a comma, and, or or", p.rest)
	}
	if p.err != nil {
		return nil, fmt.Errorf("filter %.60q: %w", text, p.err)
	}
	return wanted, nil
}

// filterParser parses a filter from left to right; rest never begins with a space.
type filterParser struct {
	rest         string
	names        []filterName
	longestFirst []filterName // a name may begin with another
	err          error        // the first; a [WrongFilter] unless the columns decide
}

// WrongFilter is the error for a filter that no table can have.
type WrongFilter struct{ error }

// Unwrap returns the error itself.
func (w WrongFilter) Unwrap() error { return w.error }

// fail notes that the filter is wrong for any table, and skips the rest.
func (p *filterParser) fail(format string, args ...any) *expression {
	return p.stop(WrongFilter{fmt.Errorf(format, args...)})
}

// failHere notes that the filter does not suit the columns of this table, and skips the rest.
func (p *filterParser) failHere(format string, args ...any) *expression {
	return p.stop(fmt.Errorf(format, args...))
}

// stop notes the first error and skips the rest.
func (p *filterParser) stop(err error) *expression {
	if p.err == nil {
		p.err = err
	}
	p.rest = ""
	return constant(0, false)
}

// nameList lists the names for an error.
func (p *filterParser) nameList() string { return strings.Join(p.allNames(), ", ") }

func (p *filterParser) allNames() []string {
	names := make([]string, len(p.names))
	for i, n := range p.names {
		names[i] = n.name
	}
	return names
}

// maxNested limits the nesting of parentheses.
const maxNested = 100

// condition parses conditions joined by "or" and "and".
func (p *filterParser) condition(nested int) *expression {
	every := func() *expression {
		all := p.one(nested)
		for p.take(",") || p.takeWord("and") {
			all = combine("and", all, p.one(nested))
		}
		return all
	}
	all := every()
	for p.takeWord("or") {
		all = combine("or", all, every())
	}
	return all
}

// one parses a comparison, or a condition in parentheses.
func (p *filterParser) one(nested int) *expression {
	if !p.take("(") {
		return p.comparison()
	}
	if nested == maxNested {
		return p.fail("parentheses are more than %d deep", maxNested)
	}
	inner := p.condition(nested + 1)
	if !p.take(")") {
		return p.fail("a parenthesis is not closed")
	}
	return inner
}

func (p *filterParser) comparison() *expression {
	from := p.rest
	if n, ok := p.name(); ok && n.typ == typeText {
		return p.textComparison(n, from)
	}
	p.rest = from
	left := p.sum()
	operator := p.operator(from)
	right := p.sum()
	truths := left.truth && right.truth && !left.parts && !right.parts
	switch {
	case p.err != nil:
		return left
	case len(left.columns)+len(right.columns) == 0:
		return p.fail("%.60s names no column: expected one of %s", strings.TrimSuffix(from, p.rest), p.nameList())
	case (left.truth || right.truth) && !(truths && (operator == "=" || operator == "!=")):
		return p.failHere("true and false are compared by = and != only")
	}
	return combine(operator, left, right)
}

// operator parses a comparison operator; from is the text from the left side on, for errors.
func (p *filterParser) operator(from string) string {
	for _, o := range []string{"!=", "<=", ">=", "=", "<", ">"} { // longer ones first
		if p.take(o) {
			return o
		}
	}
	left := strings.TrimSpace(strings.TrimSuffix(from, p.rest))
	p.fail("%.60q is not a comparison: expected one of the operators = != < <= > >= after it", left)
	return "="
}

// textComparison parses the rest of a comparison of a text column. The text ends at a comma, a
// closing parenthesis, "and" or "or", unless it is quoted.
func (p *filterParser) textComparison(n filterName, from string) *expression {
	o := p.operator(from)
	if o != "=" && o != "!=" {
		return p.failHere("%s is a column of text: expected = or !=", n.name)
	}
	text, after := p.rest, ""
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		closed := false
		text, after, closed = strings.Cut(text[1:], text[:1])
		if !closed {
			return p.fail("%.60s: a quote is not closed", p.rest)
		}
	} else {
		for _, stop := range []string{",", ")", " and ", " or "} {
			text, _, _ = strings.Cut(text, stop)
		}
		text, after = strings.TrimSpace(text), p.rest[len(text):]
	}
	if n.choices != nil && !slices.Contains(n.choices, text) {
		return p.fail("%s is %.60q: %s", n.name, text, wording.Expect(text, n.choices))
	}
	p.rest = strings.TrimSpace(after)
	return combine(o, textIs(n.columns[0], text), constant(1, false))
}

// sum parses numbers, columns of numbers and features joined by + and -.
func (p *filterParser) sum() *expression {
	var all *expression
	if p.take("-") {
		all = combine("-", wholeConstant(0), p.operand())
	} else {
		all = p.operand()
	}
	for {
		switch {
		case p.take("+"):
			all = combine("+", all, p.operand())
		case p.take("-"):
			all = combine("-", all, p.operand())
		default:
			return all
		}
	}
}

// operand parses a number or a name.
func (p *filterParser) operand() *expression {
	if n, ok := p.name(); ok {
		if n.typ == typeText {
			return p.failHere("%s is a column of text: expected it alone before = or !=", n.name)
		}
		return n.expression
	}
	for _, truth := range []bool{true, false} {
		if p.takeWord(strconv.FormatBool(truth)) {
			return constant(number(truth), true)
		}
	}
	word := p.word()
	v, err := strict.Number(word)
	switch {
	case featureOfCount.MatchString(p.rest):
		return p.failHere("no column %.60q: expected %s", featureOfCount.FindString(p.rest), wording.List(p.allNames(), "or"))
	case word == "":
		return p.fail("%.60q: expected a number or one of %s", p.rest, p.nameList())
	case word[0] != '.' && (word[0] < '0' || word[0] > '9'):
		suggested := wording.Suggest(word, append(p.allNames(), "true", "false"))
		return p.failHere("no column %.60q: %sexpected %s", word, suggested, wording.List(p.allNames(), "or"))
	case err != nil:
		return p.fail("%.60q: expected a number", word)
	}
	p.rest = strings.TrimSpace(p.rest[len(word):])
	if whole, err := strconv.ParseUint(word, 10, 64); err == nil {
		return wholeConstant(whole)
	}
	return constant(v, false)
}

// featureOfCount matches the name of a feature that begins with an operator, such as <3 or >12 of the set
// thesis. Another table may have it.
var featureOfCount = regexp.MustCompile(`^[<>][0-9]+`)

// word returns the letters, digits and points that follow, with the sign of a number's exponent.
func (p *filterParser) word() string {
	isNumber := p.rest != "" && '0' <= p.rest[0] && p.rest[0] <= '9'
	for end, b := range []byte(p.rest) {
		isSign := end > 0 && isNumber && (b == '+' || b == '-') && strings.ContainsAny(p.rest[end-1:end], "eE")
		if !isWordByte(b) && b != '.' && !isSign {
			return p.rest[:end]
		}
	}
	return p.rest
}

// name consumes the longest name of a column or a feature.
func (p *filterParser) name() (filterName, bool) {
	for _, n := range p.longestFirst {
		if p.takeWord(n.name) {
			return n, true
		}
	}
	return filterName{}, false
}

// takeWord consumes a word not followed by a letter, digit or underscore.
func (p *filterParser) takeWord(word string) bool {
	after, ok := strings.CutPrefix(p.rest, word)
	if !ok || word == "" {
		return false
	}
	isLonger := after != "" && isWordByte(after[0]) && isWordByte(word[len(word)-1])
	return !isLonger && p.take(word)
}

func (p *filterParser) take(token string) bool {
	after, ok := strings.CutPrefix(p.rest, token)
	if ok {
		p.rest = strings.TrimSpace(after)
	}
	return ok
}

// isWordByte reports whether a byte is part of a word.
func isWordByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b >= 0x80
}
