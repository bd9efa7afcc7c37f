package dropout

import (
	"fmt"

	"kroo/games/oware"
)

func newBuilder(cfg Config) *builder {
	return &builder{
		cfg: cfg, graph: newGraph(cfg), results: map[int64]found{}, asked: map[int64]bool{},
		answers: make(chan answer, cfg.Width*oware.Houses),
	}
}

// open makes a builder that goes on from the log of a configuration, and from
// the snapshot beside it if that is one of this log and of this expansion.
func open(cfg Config) (*builder, error) {
	if cfg.Log != "" {
		if b, head, err := loadSnapshot(cfg); err == nil {
			if fits, err := b.openLog(head.Records, head.Sum); fits || err != nil {
				return b, err
			}
			if err := b.log.journal.Close(); err != nil {
				return nil, err
			}
		}
	}
	b := newBuilder(cfg)
	_, err := b.openLog(0, 0)
	return b, err
}

// openLog takes the searches that the graph does not have from the log. It
// fits if its first records have the given checksum.
func (b *builder) openLog(records int64, sum uint32) (fits bool, err error) {
	fits = records == 0
	b.log, err = openLog(b.cfg, func(l *searchLog, f finished) error {
		fits = fits || l.records == records && l.sum == sum
		p, err := oware.FromBookKey(b.cfg.Rules, f.key)
		if err != nil {
			return err
		}
		if _, there := b.graph.find(p); there {
			return nil
		}
		if _, twice := b.results[f.key]; twice {
			return fmt.Errorf("key %d a second time", f.key)
		}
		b.results[f.key] = f.found
		return nil
	})
	return fits, err
}
