package datasets

import (
	"github.com/apache/arrow/go/v15/arrow/memory"
)

func describeParquet(r source, mem memory.Allocator) (d description, err error) {
	in, err := openParquet(r, mem)
	if err != nil {
		return d, err
	}
	said := in.MetaData().KeyValueMetadata()
	for i, key := range said.Keys() {
		d.Pairs = append(d.Pairs, pair{key, said.Values()[i]})
	}
	d.Names = parquetNames(in.MetaData().Schema)
	for i, name := range d.Names {
		if as, err := in.reading(i); err == nil && as.isText {
			d.Texts = append(d.Texts, name)
		}
	}
	return d, nil
}

func describeArrow(r source, mem memory.Allocator) (d description, err error) {
	in, err := openArrow(r, mem)
	if err != nil {
		return d, err
	}
	defer in.Close()
	said := in.Schema().Metadata()
	for i, key := range said.Keys() {
		d.Pairs = append(d.Pairs, pair{key, said.Values()[i]})
	}
	d.Names = arrowNames(in.Schema())
	for i, f := range in.Schema().Fields() {
		if as, err := arrowReadingOf(f); err == nil && as.isText {
			d.Texts = append(d.Texts, d.Names[i])
		}
	}
	return d, nil
}

func describeCSV(r source, _ memory.Allocator) (d description, err error) {
	_, d.Names, err = csvHead(r)
	return d, err
}
