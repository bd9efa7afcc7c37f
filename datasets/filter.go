package datasets

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// filter wants the rows for which all its comparisons hold.
type filter []comparison

// comparison compares a column with a value. Every value counts, also 0 for no game and the
// empty text for no best move.
type comparison struct {
	column   int
	operator string
	number   float64
	text     string // of text columns
	about    Column
}

// operators, longer ones before those they begin with.
var operators = []string{"!=", "<=", ">=", "=", "<", ">"}

// ParseFilter reads comparisons such as "phase>=20, exact=true, best!=F" of columns. An
// empty text wants all rows.
func ParseFilter(text string, columns []Column) (filter, error) {
	var all filter
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		c, err := parseComparison(strings.TrimSpace(part), columns)
		if err != nil {
			return nil, fmt.Errorf("filter %q: %w", shorten(text), err)
		}
		all = append(all, c)
	}
	return all, nil
}

func shorten(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}

func parseComparison(text string, columns []Column) (c comparison, err error) {
	at := strings.IndexAny(text, "!=<>")
	if at <= 0 {
		return c, fmt.Errorf("%q is no comparison: expected such as phase>=20, separated by commas", shorten(text))
	}
	i := slices.IndexFunc(operators, func(o string) bool { return strings.HasPrefix(text[at:], o) })
	if i < 0 {
		return c, fmt.Errorf("%q: expected one of the operators = != < <= > >=", shorten(text))
	}
	name, value := strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+len(operators[i]):])
	c.operator = operators[i]
	c.column = slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
	if c.column < 0 {
		return c, fmt.Errorf("no column %q: expected %s", shorten(name), listNames(columns))
	}
	c.about = columns[c.column]
	return c, c.parseValue(value)
}

func (c *comparison) parseValue(value string) (err error) {
	switch c.about.Type {
	case TextField:
		if c.operator != "=" && c.operator != "!=" {
			return fmt.Errorf("%s holds text: expected = or !=", c.about.Name)
		}
		c.text = value
		return nil
	case TruthField:
		if value == "true" || value == "false" {
			c.number = number(value == "true")
			return nil
		}
		return fmt.Errorf("%s is %q: expected true or false", c.about.Name, shorten(value))
	}
	if c.number, err = strconv.ParseFloat(value, 64); err != nil || math.IsNaN(c.number) {
		return fmt.Errorf("%s is compared with %q: expected a number", c.about.Name, shorten(value))
	}
	return nil
}

// Wants tells whether all comparisons hold for a row, by the values of its columns: text of
// those that hold text, and number of the others.
func (f filter) Wants(number func(column int) float64, text func(column int) string) bool {
	return !slices.ContainsFunc(f, func(c comparison) bool {
		if c.about.Type != TextField {
			return !c.holds(cmp.Compare(number(c.column), c.number))
		}
		return !c.holds(strings.Compare(text(c.column), c.text))
	})
}

func (c comparison) holds(order int) bool {
	switch c.operator {
	case "=":
		return order == 0
	case "!=":
		return order != 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}
