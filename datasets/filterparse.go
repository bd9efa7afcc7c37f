package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// parseFilter parses a condition such as "captures>3, exact=true or (phase<=20 and best!=F)" over
// the columns and features of a table. A comma is "and", which binds more tightly than "or".
// Numbers and columns of numbers can be added and subtracted; a feature's name is its difference,
// own minus the other side's. An empty text selects all rows.
func parseFilter(text string, cols []column, features []string) (rowFilter, error) {
	if strings.TrimSpace(text) == "" {
		return rowFilter{}, nil
	}
	p := &filterParser{rest: strings.TrimSpace(text), names: namesOf(cols, features)}
	p.longestFirst = slices.Clone(p.names)
	slices.SortStableFunc(p.longestFirst, func(a, b named) int { return cmp.Compare(len(b.name), len(a.name)) })
	wanted, err := p.condition(0)
	if err == nil && p.rest != "" {
		err = fmt.Errorf("%q follows a whole condition: expected a comma, and, or or", shorten(p.rest))
	}
	if err != nil {
		return rowFilter{}, fmt.Errorf("filter %q: %w", shorten(text), err)
	}
	return rowFilter{wanted}, nil
}

func shorten(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}

// filterParser parses a filter from left to right; rest never begins with a space.
type filterParser struct {
	rest         string
	names        []named
	longestFirst []named // a name may begin with another
}

// maxNested limits the nesting of parentheses.
const maxNested = 100

// condition parses conditions joined by "or".
func (p *filterParser) condition(nested int) (*expression, error) {
	every := func() (*expression, error) {
		return p.joined("and", func() (*expression, error) { return p.one(nested) }, func() bool { return p.take(",") || p.takeWord("and") })
	}
	return p.joined("or", every, func() bool { return p.takeWord("or") })
}

// joined parses parts joined by an operator, which more consumes.
func (p *filterParser) joined(operator string, part func() (*expression, error), more func() bool) (*expression, error) {
	all, err := part()
	for err == nil && more() {
		var next *expression
		next, err = part()
		all = &expression{operator: operator, left: all, right: next}
	}
	return all, err
}

// one parses a comparison, or a condition in parentheses.
func (p *filterParser) one(nested int) (*expression, error) {
	if !p.take("(") {
		return p.comparison()
	}
	if nested == maxNested {
		return nil, fmt.Errorf("parentheses are more than %d deep", maxNested)
	}
	inner, err := p.condition(nested + 1)
	if err == nil && !p.take(")") {
		err = errors.New("a parenthesis is not closed")
	}
	return inner, err
}

func (p *filterParser) comparison() (*expression, error) {
	before := *p
	if n, ok := p.name(); ok && n.typ == typeText {
		return p.textComparison(n, before.rest)
	}
	*p = before
	left, err := p.sum()
	if err != nil {
		return nil, err
	}
	operator, err := p.operator(before.rest)
	if err != nil {
		return nil, err
	}
	right, err := p.sum()
	if err != nil {
		return nil, err
	}
	c := &expression{operator: operator, left: left, right: right}
	if len(c.columns()) == 0 {
		return nil, fmt.Errorf("%s names no column: expected one of %s", shorten(strings.TrimSuffix(before.rest, p.rest)), listed(p.names))
	}
	both := left.truth && right.truth && left.left == nil && right.left == nil
	if (left.truth || right.truth) && !(both && (operator == "=" || operator == "!=")) {
		return nil, errors.New("true and false are compared by = and != only")
	}
	return c, nil
}

// operator parses a comparison operator; from is the text from the left side on, for errors.
func (p *filterParser) operator(from string) (string, error) {
	for _, o := range []string{"!=", "<=", ">=", "=", "<", ">"} { // longer ones first
		if p.take(o) {
			return o, nil
		}
	}
	return "", fmt.Errorf("%q is not a comparison: expected one of the operators = != < <= > >= after it", shorten(strings.TrimSpace(strings.TrimSuffix(from, p.rest))))
}

// textComparison parses the rest of a comparison of a text column. The text ends at a comma, a
// closing parenthesis, "and" or "or", unless it is quoted.
func (p *filterParser) textComparison(n named, from string) (*expression, error) {
	o, err := p.operator(from)
	if err != nil {
		return nil, err
	}
	if o != "=" && o != "!=" {
		return nil, fmt.Errorf("%s is a column of text: expected = or !=", n.name)
	}
	is := &expression{operator: textIs, column: n.is.column}
	c := &expression{operator: o, left: is, right: &expression{operator: constantOf, constant: 1}}
	if quote := p.rest; quote != "" && (quote[0] == '"' || quote[0] == '\'') {
		text, after, closed := strings.Cut(quote[1:], quote[:1])
		if !closed {
			return nil, fmt.Errorf("%s: a quote is not closed", shorten(quote))
		}
		is.text, p.rest = text, strings.TrimSpace(after)
		return c, nil
	}
	end := len(p.rest)
	for _, stop := range []string{",", ")", " and ", " or "} {
		if i := strings.Index(p.rest, stop); i >= 0 {
			end = min(end, i)
		}
	}
	is.text, p.rest = strings.TrimSpace(p.rest[:end]), strings.TrimSpace(p.rest[end:])
	return c, nil
}

// sum parses numbers, columns of numbers and features joined by + and -.
func (p *filterParser) sum() (*expression, error) {
	all, operator := &expression{operator: constantOf}, "+"
	first := !p.take("-")
	if !first {
		operator = "-"
	}
	for {
		next, err := p.operand()
		if err != nil {
			return nil, err
		}
		if first {
			all, first = next, false
		} else {
			all = &expression{operator: operator, left: all, right: next, truth: all.truth || next.truth}
		}
		switch {
		case p.take("+"):
			operator = "+"
		case p.take("-"):
			operator = "-"
		default:
			return all, nil
		}
	}
}

// operand parses a number or a name.
func (p *filterParser) operand() (*expression, error) {
	if n, ok := p.name(); ok {
		if n.typ == typeText {
			return nil, fmt.Errorf("%s is a column of text: expected it alone before = or !=", n.name)
		}
		return &n.is, nil
	}
	for _, truth := range []bool{true, false} {
		if p.takeWord(strconv.FormatBool(truth)) {
			return &expression{operator: constantOf, constant: number(truth), truth: true}, nil
		}
	}
	end := 0
	for end < len(p.rest) && (isNamed(p.rest[end]) || p.rest[end] == '.') {
		if end++; end < len(p.rest) && strings.HasSuffix(strings.ToLower(p.rest[:end]), "e") && '0' <= p.rest[0] && p.rest[0] <= '9' && strings.ContainsRune("+-", rune(p.rest[end])) {
			end++ // of an exponent
		}
	}
	word := p.rest[:end]
	v, err := strconv.ParseFloat(word, 64)
	switch {
	case word == "":
		return nil, fmt.Errorf("%q: expected a number or one of %s", shorten(p.rest), listed(p.names))
	case word[0] != '.' && (word[0] < '0' || word[0] > '9'):
		return nil, fmt.Errorf("no column %q: expected one of %s", shorten(word), listed(p.names))
	case err != nil:
		return nil, fmt.Errorf("%q: expected a number", shorten(word))
	}
	p.rest = strings.TrimSpace(p.rest[end:])
	return &expression{operator: constantOf, constant: v}, nil
}

// name consumes the longest name of a column or a feature.
func (p *filterParser) name() (named, bool) {
	for _, n := range p.longestFirst {
		if p.takeWord(n.name) {
			return n, true
		}
	}
	return named{}, false
}

// takeWord consumes a word not followed by a letter, digit or underscore.
func (p *filterParser) takeWord(word string) bool {
	after, ok := strings.CutPrefix(p.rest, word)
	if !ok || word == "" || after != "" && isNamed(after[0]) && isNamed(word[len(word)-1]) {
		return false
	}
	p.rest = strings.TrimSpace(after)
	return true
}

func (p *filterParser) take(token string) bool {
	after, ok := strings.CutPrefix(p.rest, token)
	if ok {
		p.rest = strings.TrimSpace(after)
	}
	return ok
}

// isNamed reports whether a byte is part of a word.
func isNamed(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b >= 0x80
}
