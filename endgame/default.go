package endgame

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/klauspost/compress/gzip"

	"kroo/games/oware"
)

// DefaultSeeds is the most seeds in play of the default tables.
const DefaultSeeds = 12

// abapa is the default table for abapa, with sharp bounds. To build it again:
//
//	train endgame build --rules abapa --seeds 12 --resolve 9 -o DIR
//	gzip -9n < DIR/abapa.endgame > endgame/abapa.endgame.gz
//
//go:embed abapa.endgame.gz
var abapa []byte

// defaults make each table once, at first use. That of simple-to-end is simple's: the
// values do not depend on the stores.
var defaults = [...]func() (*Table, error){
	oware.Abapa:       sync.OnceValues(unpack),
	oware.Awari:       sync.OnceValues(func() (*Table, error) { return buildDefault(oware.Awari) }),
	oware.Simple:      simple,
	oware.SimpleToEnd: simple,
}

var simple = sync.OnceValues(func() (*Table, error) { return buildDefault(oware.Simple) })

// Default returns the table that comes with the program. The first call unpacks
// the table of abapa, in some hundredths of a second, or builds those of the other
// rules, in about a second. Closing a default table has no effect on the next call.
func Default(r oware.Rules) (*Table, error) {
	if err := r.Check(); err != nil {
		return nil, fmt.Errorf("endgame: %w", err)
	}
	t, err := defaults[r]()
	if err != nil {
		return nil, err
	}
	shared := *t // so that closing one does not close all
	shared.rules = r
	return &shared, nil
}

func unpack() (*Table, error) {
	r, err := gzip.NewReader(bytes.NewReader(abapa))
	if err != nil {
		return nil, fmt.Errorf("endgame: the default table: %w", err)
	}
	size := binary.LittleEndian.Uint32(abapa[len(abapa)-4:]) // RFC 1952: it ends with its unpacked size
	file := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	if _, err := file.ReadFrom(r); err != nil {
		return nil, fmt.Errorf("endgame: the default table: %w", err)
	}
	return parse("the default table", file.Bytes())
}

func buildDefault(r oware.Rules) (*Table, error) {
	return Build(context.Background(), Config{Rules: r, Bounds: Exact, Seeds: DefaultSeeds, Made: "at first use"}, nil)
}
