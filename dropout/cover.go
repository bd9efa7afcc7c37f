package dropout

import (
	"kroo/games"
	"kroo/games/oware"
)

// Cover lists the positions of lines for [Config].Cover: those before each of
// the first plies moves of every record, all of one ply before those of the
// next, each once. The moves must be legal, as those of a record that was read are.
func Cover(records []games.Record[oware.Position], plies int) []oware.Position {
	var list []oware.Position
	listed := map[oware.Position]bool{}
	lines := make([]oware.Position, len(records))
	longest := 0
	for i, r := range records {
		lines[i] = r.Start
		longest = max(longest, len(r.Moves))
	}
	for ply := range min(plies, longest) {
		for i, r := range records {
			if ply >= len(r.Moves) {
				continue
			}
			if p := lines[i]; !listed[p] {
				listed[p] = true
				list = append(list, p)
			}
			lines[i] = lines[i].Play(r.Moves[ply].Move)
		}
	}
	return list
}

// cover picks the next leaf to be expanded because it was asked for. It asks
// to wait if the position may come into the graph by what is in flight. A
// position that does not come into the graph is left out, as is one that is
// proven.
func (b *builder) cover() (leaf index, ok, wait bool) {
	for b.covered < len(b.cfg.Cover) {
		i, there := b.graph.find(b.cfg.Cover[b.covered])
		if !there && len(b.flight) > 0 {
			return 0, false, true
		}
		b.covered++
		if there && !b.graph.nodes.at(i).is(expanded|proven|chosen) {
			return i, true, false
		}
	}
	return 0, false, false
}
