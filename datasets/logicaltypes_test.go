package datasets

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"kroo/internal/testkit"
)

// onlyCell returns the only value of a Parquet file of one column.
func onlyCell(t *testing.T, node schema.Node, value any) (cell string, err error) {
	t.Helper()
	f := testkit.Must(os.Open(parquetOf(t, compress.Codecs.Uncompressed, schema.FieldList{node}, nil, []any{value})))(t)
	defer f.Close()
	in := testkit.Must(openParquet(f, memory.DefaultAllocator))(t)
	for row, err := range cellsOf(in, 1<<20, []string{"x"}) {
		if err != nil {
			return "", err
		}
		cell = row.Cells[0]
	}
	return cell, nil
}

// Each logical type of Parquet is read correctly or refused by name.
func TestEveryLogicalTypeOfParquet(t *testing.T) {
	types, units := parquet.Types, []schema.TimeUnitType{schema.TimeUnitMillis, schema.TimeUnitMicros, schema.TimeUnitNanos}
	seen := map[schema.ConvertedType]bool{schema.ConvertedTypes.None: true}
	type c struct {
		logical  schema.LogicalType
		physical parquet.Type
		length   int
		value    any
		want     string // the text; after "!", words of the error
	}
	cases := []c{
		{schema.NoLogicalType{}, types.Int32, 0, int32(-7), "-7"},
		{schema.NoLogicalType{}, types.Int64, 0, int64(-1 << 63), "-9223372036854775808"},
		{schema.NoLogicalType{}, types.Float, 0, float32(0.1), "0.1"},
		{schema.NoLogicalType{}, types.Double, 0, 12.25, "12.25"},
		{schema.NoLogicalType{}, types.Boolean, 0, true, "true"},
		{schema.NoLogicalType{}, types.ByteArray, 0, "4-4", "4-4"},
		{schema.NoLogicalType{}, types.FixedLenByteArray, 3, "4-4", "!FIXED_LEN_BYTE_ARRAY"},
		{schema.NoLogicalType{}, types.Int96, 0, parquet.Int96{}, "!INT96"},
		{schema.StringLogicalType{}, types.ByteArray, 0, "4-4", "4-4"},
		{schema.EnumLogicalType{}, types.ByteArray, 0, "value", "value"},
		{schema.NullLogicalType{}, types.Int32, 0, int32(5), ""},
		{schema.NewIntLogicalType(8, true), types.Int32, 0, int32(-128), "-128"},
		{schema.NewIntLogicalType(16, true), types.Int32, 0, int32(-300), "-300"},
		{schema.NewIntLogicalType(32, true), types.Int32, 0, int32(-1), "-1"},
		{schema.NewIntLogicalType(64, true), types.Int64, 0, int64(-1), "-1"},
		{schema.NewIntLogicalType(8, false), types.Int32, 0, int32(255), "255"},
		{schema.NewIntLogicalType(16, false), types.Int32, 0, int32(65535), "65535"},
		{schema.NewIntLogicalType(32, false), types.Int32, 0, int32(-1), "4294967295"},
		{schema.NewIntLogicalType(64, false), types.Int64, 0, int64(-1), "18446744073709551615"},
		{schema.NewDecimalLogicalType(4, 2), types.Int32, 0, int32(-1250), "-12.50"},
		{schema.NewDecimalLogicalType(18, 3), types.Int64, 0, int64(5), "0.005"},
		{schema.NewDecimalLogicalType(4, 2), types.ByteArray, 0, "\xfb\x1e", "-12.50"},
		{schema.NewDecimalLogicalType(20, 1), types.FixedLenByteArray, 9, "\x00\x00\x00\x00\x00\x00\x00\x00\x7d", "12.5"},
		{schema.NewDecimalLogicalType(5, 0), types.Int32, 0, int32(12), "12"},
		{schema.Float16LogicalType{}, types.FixedLenByteArray, 2, "\x40\xca", "-12.5"},
		{schema.DateLogicalType{}, types.Int32, 0, int32(10), "!Date"},
		{schema.JSONLogicalType{}, types.ByteArray, 0, "5", "!JSON"},
		{schema.BSONLogicalType{}, types.ByteArray, 0, "5", "!BSON"},
		{schema.UUIDLogicalType{}, types.FixedLenByteArray, 16, "0123456789abcdef", "!UUID"},
		{schema.IntervalLogicalType{}, types.FixedLenByteArray, 12, "0123456789ab", "!Interval"},
		{schema.UnknownLogicalType{}, types.Int32, 0, int32(5), "!Unknown"},
	}
	for _, unit := range units {
		physical, value := types.Int64, any(int64(5))
		cases = append(cases, c{schema.NewTimestampLogicalType(true, unit), physical, 0, value, "!Timestamp(isAdjustedToUTC=true"})
		if unit == schema.TimeUnitMillis {
			physical, value = types.Int32, int32(5)
		}
		cases = append(cases, c{schema.NewTimeLogicalType(true, unit), physical, 0, value, "!Time(isAdjustedToUTC=true"})
	}
	for _, c := range cases {
		name := c.logical.String() + " of " + c.physical.String()
		converted, _ := c.logical.ToConvertedType()
		seen[converted] = true
		node, err := schema.NewPrimitiveNodeLogical("x", parquet.Repetitions.Required, c.logical, c.physical, c.length, -1)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got string
		if c.logical == (schema.UnknownLogicalType{}) { // which cannot be in a file
			_, err = parquetReadingOf(schema.NewColumn(node, 0, 0))
		} else {
			got, err = onlyCell(t, node, c.value)
		}
		if part, refused := strings.CutPrefix(c.want, "!"); refused {
			wantError(t, err, "its type is "+part)
		} else if err != nil || got != c.want {
			t.Errorf("%s: %q, want %q, error %v", name, got, c.want, err)
		}
	}
	for converted := schema.ConvertedTypes.UTF8; converted <= schema.ConvertedTypes.Interval; converted++ {
		nested := converted == schema.ConvertedTypes.Map || converted == schema.ConvertedTypes.MapKeyValue || converted == schema.ConvertedTypes.List
		if !seen[converted] && !nested {
			t.Errorf("%s is not among the cases", converted)
		}
	}
	list, err := schema.ListOf(schema.NewInt32Node("x", parquet.Repetitions.Required, -1), parquet.Repetitions.Required, -1)
	testkit.NoError(t, err)
	leaf := schema.NewSchema(schema.MustGroup(schema.NewGroupNode("root", parquet.Repetitions.Required, schema.FieldList{list}, -1))).Column(0)
	_, err = parquetReadingOf(leaf)
	wantError(t, err, "its type is a list")
}

// A logical type that does not exist yet, of a leaf column.
func TestUnknownLogicalTypesAreRefused(t *testing.T) {
	required := parquet.Repetitions.Required
	text := func(name string, as schema.LogicalType) schema.Node {
		return schema.MustPrimitive(schema.NewPrimitiveNodeLogical(name, required, as, parquet.Types.ByteArray, -1, -1))
	}
	path := parquetOf(t, compress.Codecs.Uncompressed, schema.FieldList{
		text("odd", schema.JSONLogicalType{}), text("board", schema.StringLogicalType{}), schema.NewFloat64Node("label", required, -1),
	}, nil, []any{startBoard}, []any{startBoard}, []any{math.Pi})
	content := testkit.Read(t, path)
	const json, unused = "\xcc\x00\x00", "\x9c\x00\x00"
	if bytes.Count(content, []byte(json)) != 1 {
		t.Fatal("the type is not where it should be")
	}
	testkit.Write(t, path, bytes.ReplaceAll(content, []byte(json), []byte(unused)))
	rows, _, err := labelsOf(t, path, ImportOptions{})
	if err != nil || len(rows) != 1 || rows[0].Label != math.Pi {
		t.Errorf("%+v, error %v", rows, err)
	}
	_, _, err = labelsOf(t, path, ImportOptions{Board: "odd"})
	wantError(t, err, `column "odd"`, "newer than this program")
}

// Each type of Arrow is read correctly or refused by name.
func TestEveryTypeOfArrow(t *testing.T) {
	number := arrow.PrimitiveTypes.Int32
	seen := map[arrow.Type]bool{}
	for _, c := range []struct {
		typ  arrow.DataType
		json string // an array of one value
		want string // its text; after "!", words of the error
	}{
		{arrow.Null, `[null]`, ""},
		{arrow.FixedWidthTypes.Boolean, `[true]`, "true"},
		{arrow.PrimitiveTypes.Int8, `[-128]`, "-128"},
		{arrow.PrimitiveTypes.Int16, `[-300]`, "-300"},
		{arrow.PrimitiveTypes.Int32, `[-1]`, "-1"},
		{arrow.PrimitiveTypes.Int64, `[-9223372036854775808]`, "-9223372036854775808"},
		{arrow.PrimitiveTypes.Uint8, `[255]`, "255"},
		{arrow.PrimitiveTypes.Uint16, `[65535]`, "65535"},
		{arrow.PrimitiveTypes.Uint32, `[4294967295]`, "4294967295"},
		{arrow.PrimitiveTypes.Uint64, `["18446744073709551615"]`, "18446744073709551615"},
		{arrow.FixedWidthTypes.Float16, `[-12.5]`, "-12.5"},
		{arrow.PrimitiveTypes.Float32, `[0.1]`, "0.1"},
		{arrow.PrimitiveTypes.Float64, `[12.25]`, "12.25"},
		{arrow.BinaryTypes.String, `["4-4"]`, "4-4"},
		{arrow.BinaryTypes.LargeString, `["4-4"]`, "4-4"},
		{arrow.BinaryTypes.StringView, `["4-4"]`, "4-4"},
		{arrow.BinaryTypes.Binary, `["NC00"]`, "4-4"},
		{arrow.BinaryTypes.LargeBinary, `["NC00"]`, "4-4"},
		{arrow.BinaryTypes.BinaryView, `["NC00"]`, "4-4"},
		{&arrow.FixedSizeBinaryType{ByteWidth: 3}, `["NC00"]`, "!fixed_size_binary[3]"},
		{&arrow.Decimal128Type{Precision: 4, Scale: 2}, `["-12.50"]`, "-12.50"},
		{&arrow.Decimal256Type{Precision: 40, Scale: 1}, `["12.5"]`, "12.5"},
		{&arrow.DictionaryType{IndexType: number, ValueType: arrow.BinaryTypes.String}, `["4-4"]`, "4-4"},
		{&arrow.DictionaryType{IndexType: number, ValueType: arrow.PrimitiveTypes.Date32}, "", "!date32"},
		{arrow.PrimitiveTypes.Date32, "", "!date32"},
		{arrow.PrimitiveTypes.Date64, "", "!date64"},
		{arrow.FixedWidthTypes.Timestamp_us, "", "!timestamp[us"},
		{arrow.FixedWidthTypes.Time32s, "", "!time32[s]"},
		{arrow.FixedWidthTypes.Time64us, "", "!time64[us]"},
		{arrow.FixedWidthTypes.Duration_s, "", "!duration[s]"},
		{arrow.FixedWidthTypes.MonthInterval, "", "!month_interval"},
		{arrow.FixedWidthTypes.DayTimeInterval, "", "!day_time_interval"},
		{arrow.FixedWidthTypes.MonthDayNanoInterval, "", "!month_day_nano_interval"},
		{arrow.ListOf(number), "", "!list<"},
		{arrow.LargeListOf(number), "", "!large_list<"},
		{arrow.ListViewOf(number), "", "!list_view<"},
		{arrow.LargeListViewOf(number), "", "!large_list_view<"},
		{arrow.FixedSizeListOf(2, number), "", "!fixed_size_list<"},
		{arrow.StructOf(arrow.Field{Name: "a", Type: number}), "", "!struct<"},
		{arrow.MapOf(number, number), "", "!map<"},
		{arrow.SparseUnionOf(nil, nil), "", "!sparse_union<"},
		{arrow.DenseUnionOf(nil, nil), "", "!dense_union<"},
		{arrow.RunEndEncodedOf(number, number), "", "!run_end_encoded<"},
	} {
		seen[c.typ.ID()] = true
		_, err := isArrowText(arrow.Field{Name: "x", Type: c.typ})
		if part, refused := strings.CutPrefix(c.want, "!"); refused {
			wantError(t, err, "its type is "+part)
			continue
		}
		values, _, jsonErr := array.FromJSON(memory.DefaultAllocator, c.typ, strings.NewReader(c.json))
		if err != nil || jsonErr != nil {
			t.Errorf("%s: %v, %v", c.typ, err, jsonErr)
		} else if got := arrowText(values, 0); got != c.want {
			t.Errorf("%s: %q, want %q", c.typ, got, c.want)
		}
	}
	seen[arrow.EXTENSION] = true
	_, err := isArrowText(arrow.Field{Type: number, Metadata: arrow.NewMetadata([]string{"ARROW:extension:name"}, []string{"arrow.bool8"})})
	wantError(t, err, "its type is the extension arrow.bool8")
	for typ := arrow.NULL; !strings.HasPrefix(typ.String(), "Type("); typ++ {
		if !seen[typ] {
			t.Errorf("%s is not among the cases", typ)
		}
	}
}

// Negative scales append zeros; the smallest half floats are subnormal.
func TestExtremeDecimalsAndHalfFloats(t *testing.T) {
	for text, want := range map[string]string{
		decimalText(parseTwosComplement([]byte{0xff}), -3): "-1000", decimalText(parseTwosComplement(nil), 2): "0.00",
		halfText(0x0001): "5.9604645e-08", halfText(0x83ff): "-6.097555e-05", halfText(0x7bff): "65504",
		halfText(0x7e00): "", halfText(0xfc00): "-Inf", halfText(0x8000): "-0",
	} {
		if text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
}
