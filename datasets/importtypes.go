package datasets

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// The meaning of a column's values depends on its logical type: the bytes of 12.5, of 125 and of a
// date can be the same. [parquetReadingOf] and [isArrowText] support a type correctly or refuse it by
// name.

// parquetReading formats the values of a Parquet column as text, by physical type; floats and
// booleans have no logical type.
type parquetReading struct {
	whole  func(int64) string
	bytes  func([]byte) string
	isText bool
}

func parquetReadingOf(about *schema.Column) (r parquetReading, err error) {
	if about.MaxRepetitionLevel() > 0 {
		return r, refusedType("a list")
	}
	switch t := about.LogicalType().(type) {
	case nil, schema.NoLogicalType:
		switch about.PhysicalType() {
		case parquet.Types.Int96, parquet.Types.FixedLenByteArray:
			return r, refusedType(about.PhysicalType().String())
		}
		return parquetReading{signedText, bytesText, about.PhysicalType() == parquet.Types.ByteArray}, nil
	case schema.StringLogicalType, schema.EnumLogicalType:
		return parquetReading{bytes: bytesText, isText: true}, nil
	case schema.NullLogicalType:
		return parquetReading{whole: func(int64) string { return "" }, bytes: func([]byte) string { return "" }}, nil
	case schema.Float16LogicalType:
		return parquetReading{bytes: func(b []byte) string { return halfText(binary.LittleEndian.Uint16(b)) }}, nil
	case *schema.IntLogicalType:
		if t.IsSigned() {
			return parquetReading{whole: signedText}, nil
		}
		mask := uint64(1)<<t.BitWidth() - 1 // 32 bits are stored with a sign
		return parquetReading{whole: func(v int64) string { return strconv.FormatUint(uint64(v)&mask, 10) }}, nil
	case *schema.DecimalLogicalType:
		return parquetReading{
			whole: func(v int64) string { return decimalText(big.NewInt(v), t.Scale()) },
			bytes: func(b []byte) string { return decimalText(parseTwosComplement(b), t.Scale()) },
		}, nil
	default:
		return r, refusedType(t.String())
	}
}

// isArrowText reports whether the values of a column are text.
func isArrowText(f arrow.Field) (isText bool, err error) {
	if i := f.Metadata.FindKey(ipc.ExtensionTypeKeyName); i >= 0 {
		return false, refusedType("the extension " + f.Metadata.Values()[i])
	}
	switch t := f.Type.(type) {
	case *arrow.NullType, *arrow.BooleanType,
		*arrow.Int8Type, *arrow.Int16Type, *arrow.Int32Type, *arrow.Int64Type,
		*arrow.Uint8Type, *arrow.Uint16Type, *arrow.Uint32Type, *arrow.Uint64Type,
		*arrow.Float16Type, *arrow.Float32Type, *arrow.Float64Type, *arrow.Decimal128Type, *arrow.Decimal256Type:
		return false, nil
	case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType,
		*arrow.BinaryType, *arrow.LargeBinaryType, *arrow.BinaryViewType:
		return true, nil
	case *arrow.DictionaryType:
		return isArrowText(arrow.Field{Type: t.ValueType})
	}
	return false, refusedType(f.Type.String())
}

// arrowText formats the i-th value of an array, "" for a missing one.
func arrowText(a arrow.Array, i int) string {
	if a.IsNull(i) {
		return ""
	}
	switch a := a.(type) {
	case *array.Null:
		return ""
	case *array.Float16:
		return halfText(a.Value(i).Uint16())
	case *array.Float32:
		return realText(float64(a.Value(i)), 32)
	case *array.Float64:
		return realText(a.Value(i), 64)
	case *array.Decimal128:
		return decimalText(a.Value(i).BigInt(), a.DataType().(*arrow.Decimal128Type).Scale)
	case *array.Decimal256:
		return decimalText(a.Value(i).BigInt(), a.DataType().(*arrow.Decimal256Type).Scale)
	case *array.Dictionary:
		return arrowText(a.Dictionary(), a.GetValueIndex(i))
	case interface{ ValueString(int) string }: // of bytes, which ValueStr encodes
		return a.ValueString(i)
	}
	return a.ValueStr(i)
}

func refusedType(name string) error {
	return fmt.Errorf("its type is %s: expected numbers, text or true and false; convert it first", name)
}

func signedText(v int64) string { return strconv.FormatInt(v, 10) }

func bytesText(b []byte) string { return string(b) }

// halfText formats a 16-bit float. The library's own conversion is wrong for subnormals.
func halfText(bits uint16) string {
	v := float64(math.Float32frombits(uint32(bits&0x7fff)<<13)) * 0x1p112 // of another bias
	if v >= 1<<16 {                                                       // above the largest
		v = math.Inf(1)
		if bits&0x3ff != 0 {
			v = math.NaN()
		}
	}
	if bits>>15 == 1 {
		v = -v
	}
	return realText(v, 32)
}

// realText formats a number; NaN, a missing value in data frames, becomes "".
func realText(v float64, bits int) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, bits)
}

// parseTwosComplement parses a big-endian two's complement number.
func parseTwosComplement(b []byte) *big.Int {
	v := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return v
}

// decimalText formats v·10^−scale.
func decimalText(v *big.Int, scale int32) string {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(scale, -scale))), nil)
	if scale < 0 {
		return new(big.Int).Mul(v, power).String()
	}
	return new(big.Rat).SetFrac(v, power).FloatString(int(scale))
}
