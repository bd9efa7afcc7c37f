package sampler

import (
	"context"
	"fmt"

	"kroo/datasets"
)

// Sample draws positions and writes them to a positions table at path, whose
// ending chooses the format (see package datasets). tool is the revision of
// the program, for the table's meta. progress may be nil.
func Sample(ctx context.Context, cfg Config, path, tool string, progress func(done, total int64)) error {
	positions, err := draw(ctx, cfg, progress)
	if err != nil {
		return err
	}
	rows := make([]datasets.PositionRow, len(positions))
	for i, p := range positions {
		rows[i].Key = p.BookKey()
	}
	meta := datasets.Meta{
		Kind:   datasets.Positions,
		Rules:  cfg.Rules.String(),
		Seed:   cfg.Seed,
		Method: cfg.Method,
		Tool:   tool,
		Note:   fmt.Sprintf("%d positions, drawn with replacement", cfg.N),
	}
	if err := datasets.WritePositions(path, meta, rows); err != nil {
		return fmt.Errorf("sampler: %w", err)
	}
	return nil
}
