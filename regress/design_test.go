package regress

import (
	"archive/zip"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"kroo/datasets"
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// npyOf reads an array according to numpy.lib.format: magic, version, length of the header, a
// Python dictionary, and the values.
func npyOf(t *testing.T, z *zip.ReadCloser, name string) (descr, shape string, values []byte) {
	t.Helper()
	f, err := z.Open(name + ".npy")
	testkit.NoError(t, err)
	data, err := io.ReadAll(f)
	if err != nil || string(data[:8]) != "\x93NUMPY\x01\x00" {
		t.Fatalf("%s: %q, error %v", name, data[:8], err)
	}
	size := int(binary.LittleEndian.Uint16(data[8:]))
	if (10+size)%64 != 0 || data[9+size] != '\n' {
		t.Errorf("%s: a head of %d bytes that ends in %q", name, size, data[9+size])
	}
	m := regexp.MustCompile(`\A\{'descr': '(.*)', 'fortran_order': False, 'shape': (\(.*\)), \} *\n\z`).FindStringSubmatch(string(data[10 : 10+size]))
	if m == nil {
		t.Fatalf("%s: head %q", name, data[10:10+size])
	}
	return m[1], m[2], data[10+size:]
}

func TestDesignMatrixMatchesTheFit(t *testing.T) {
	labels := labelFile(t, 41, 300, tame)
	out := filepath.Join(t.TempDir(), "design.npz")
	set, err := patterns.Parse("store+houses")
	testkit.NoError(t, err)
	sum, err := WriteDesign(t.Context(), patterns.PatternSets, "abapa", DesignRequest{Labels: []string{labels}, Set: "store+houses", Out: out}, nil)
	if err != nil || sum.Rows != 300 || sum.Columns != set.Len() {
		t.Fatalf("%+v, error %v", sum, err)
	}
	z, err := zip.OpenReader(out)
	testkit.NoError(t, err)
	defer z.Close()
	le := binary.LittleEndian
	ints := func(name, wantShape string) (all []int) {
		descr, shape, values := npyOf(t, z, name)
		if descr != "<i4" || shape != wantShape {
			t.Errorf("%s: %s %s, want <i4 %s", name, descr, shape, wantShape)
		}
		for ; len(values) > 0; values = values[4:] {
			all = append(all, int(int32(le.Uint32(values))))
		}
		return all
	}
	indptr, indices := ints("indptr", "(301,)"), ints("indices", fmt.Sprintf("(%d,)", sum.Entries))
	descr, _, data := npyOf(t, z, "data")
	if descr != "<f4" || len(data) != 4*int(sum.Entries) {
		t.Fatalf("data: %s, %d bytes", descr, len(data))
	}
	if descr, shape, format := npyOf(t, z, "format"); descr != "|S3" || shape != "()" || string(format) != "csr" {
		t.Errorf("format: %s %s %q", descr, shape, format)
	}
	if descr, shape, v := npyOf(t, z, "shape"); descr != "<i8" || shape != "(2,)" || le.Uint64(v) != 300 || le.Uint64(v[8:]) != uint64(set.Len()) {
		t.Errorf("shape: %s %s %v", descr, shape, v)
	}
	table := func(suffix string) [][]string {
		f, err := os.Open(strings.TrimSuffix(out, ".npz") + suffix)
		testkit.NoError(t, err)
		defer f.Close()
		all, err := csv.NewReader(f).ReadAll()
		testkit.NoError(t, err)
		return all[1:]
	}
	rows, columns := table(".labels.csv"), table(".columns.csv")
	if len(rows) != 300 || len(columns) != set.Len() || columns[1][1] != set.ColumnName(1) || columns[0][2] != "store" {
		t.Fatalf("%d rows, columns %q", len(rows), columns[:2])
	}
	for i, r := range rows {
		p, err := oware.ParseBoard(oware.Abapa, r[2])
		testkit.NoError(t, err)
		want, got := make([]float32, set.Len()), make([]float32, set.Len())
		ones, vals := set.AppendRow(nil, nil, p)
		for _, c := range ones {
			want[c]++
		}
		for _, v := range vals {
			want[v.Index] += v.Value
		}
		for k := indptr[i]; k < indptr[i+1]; k++ {
			got[indices[k]] = math.Float32frombits(le.Uint32(data[4*k:]))
			if k > indptr[i] && indices[k] <= indices[k-1] {
				t.Fatalf("row %d: column %d after %d", i, indices[k], indices[k-1])
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("row %d: %v, want %v", i, got, want)
		}
		if label, err := strconv.ParseFloat(r[0], 64); err != nil || math.Abs(label-tame(p)) > 1e-3 {
			t.Fatalf("row %d: label %s, want %v", i, r[0], tame(p))
		}
	}
}

// A matrix that replaces a dataset removes the manifest.
func TestAMatrixThatReplacesADatasetRemovesItsManifest(t *testing.T) {
	out := filepath.Join(t.TempDir(), "l.parquet")
	labels := labelFile(t, 41, 300, tame)
	testkit.Write(t, out, testkit.Read(t, labels))
	testkit.Write(t, datasets.ManifestPath(out), testkit.Read(t, datasets.ManifestPath(labels)))
	_, err := WriteDesign(t.Context(), patterns.PatternSets, "abapa", DesignRequest{Labels: []string{labels}, Set: "store", Out: out}, nil)
	testkit.NoError(t, err)
	if _, err := os.Stat(datasets.ManifestPath(out)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the manifest is still there: %v", err)
	}
}

func TestDesignMatricesHaveKnownFormats(t *testing.T) {
	_, err := DesignPaths("design.csv")
	testkit.Refused(t, err, "design.csv", ".npz, .parquet")
	paths, err := DesignPaths("a/design.parquet")
	if err != nil || fmt.Sprint(paths) != "[a/design.parquet a/design.labels.csv a/design.columns.csv]" {
		t.Errorf("%q, error %v", paths, err)
	}
}
