package regress

// pace counts the work of a fit in rows: those that are read, and for each fit those that it goes
// over. How many fits a selection takes is known at its end; until then it may take all.
type pace struct {
	done, total int64
	rows        int64 // of training
	tell        func(done, total int64)
}

func newPace(training, validation int64, fits int, tell func(done, total int64)) *pace {
	p := &pace{rows: training, total: training + validation + int64(fits)*training, tell: tell}
	tell(0, p.total)
	return p
}

// read notes rows.
func (p *pace) read(rows int64) {
	p.done += rows
	p.tell(p.done, max(p.done, p.total))
}

// fitted notes a fit. A nil pace notes nothing.
func (p *pace) fitted() {
	if p != nil {
		p.read(p.rows)
	}
}

// end is when no more fits are to come.
func (p *pace) end() { p.tell(p.total, p.total) }
