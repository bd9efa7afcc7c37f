package uci

import "kroo/engine/search"

// untuned is a setting of the search that the client has not set.
const untuned = -1

// tuningOptions are the settings of the search, to be tuned. Those that the client does
// not set are as the evaluation in force has them; byDefault is the first one's.
func tuningOptions[P search.Position[P]](byDefault search.Tuning) (list []option[P]) {
	t := byDefault.WithDefaults(false)
	for i, setting := range t.Settings() {
		o := spin(setting.Name, *setting.Value, setting.Min, setting.Max, func(c *session[P]) *int { return &c.tuned[i] })
		number := o.set
		o.set = func(c *session[P], value string) error {
			c.dropSearcher() // its hash table is of the other settings
			return number(c, value)
		}
		list = append(list, o)
	}
	return list
}

// tuning is that of an evaluation, with what the client has set.
func (c *session[P]) tuning(t search.Tuning) search.Tuning {
	if !c.server.cfg.Tuning {
		return t
	}
	t = t.WithDefaults(false)
	for i, setting := range t.Settings() {
		if c.tuned[i] != untuned {
			*setting.Value = c.tuned[i]
		}
	}
	return t
}
