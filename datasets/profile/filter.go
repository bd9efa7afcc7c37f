package profile

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

// comparison compares a column with a value. A missing value compares equal to
// nothing and different from everything, and is neither less nor greater.
type comparison struct {
	column   int
	operator string
	number   float64
	text     string // of text columns
	field    *field
}

// operators, longer ones before those they begin with.
var operators = []string{"!=", "<=", ">=", "=", "<", ">"}

// parseFilter reads comparisons such as "phase>=20, exact=true, best!=F". An
// empty text wants all rows.
func parseFilter(text string, fields []field) (filter, error) {
	var all filter
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		c, err := parseComparison(strings.TrimSpace(part), fields)
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

func parseComparison(text string, fields []field) (c comparison, err error) {
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
	c.column = slices.IndexFunc(fields, func(f field) bool { return f.name == name })
	if c.column < 0 {
		return c, fmt.Errorf("no column %q: expected %s", shorten(name), strings.Join(namesOf(fields), ", "))
	}
	c.field = &fields[c.column]
	return c, c.parseValue(value)
}

func (c *comparison) parseValue(value string) (err error) {
	switch c.field.typ {
	case typeText:
		if c.operator != "=" && c.operator != "!=" {
			return fmt.Errorf("%s holds text: expected = or !=", c.field.name)
		}
		c.text = value
		return nil
	case typeTruth:
		if value == "true" || value == "false" {
			c.number = truth(value == "true")
			return nil
		}
		return fmt.Errorf("%s is %q: expected true or false", c.field.name, shorten(value))
	}
	if c.number, err = strconv.ParseFloat(value, 64); err != nil || math.IsNaN(c.number) {
		return fmt.Errorf("%s is compared with %q: expected a number", c.field.name, shorten(value))
	}
	return nil
}

// wants tells whether all comparisons hold for a row, by the values of its columns.
func (f filter) wants(value func(column int) float64) bool {
	return !slices.ContainsFunc(f, func(c comparison) bool { return !c.holds(value(c.column)) })
}

func (c comparison) holds(v float64) bool {
	if math.IsNaN(v) {
		return c.operator == "!="
	}
	order := 0
	if c.field.typ == typeText {
		order = strings.Compare(c.field.names[int(v)], c.text)
	} else {
		order = cmp.Compare(v, c.number)
	}
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
