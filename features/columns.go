package features

// Columns is a feature set of a game with positions of type P: it numbers columns, and
// gives the value of each column in a position. It is immutable, and safe for concurrent
// use.
type Columns[P any] interface {
	// String is the name of the set, by which it is found again.
	String() string
	// Hash identifies the set: 16 hexadecimal digits that change when the
	// meaning of a column does.
	Hash() string
	// Len is the number of columns.
	Len() int
	// ColumnName describes a column, 0 ≤ column < Len().
	ColumnName(column int) string
	// Families lists the families in the order of their columns. Each column is in one.
	Families() []Family
	// AppendRow appends the columns of the position that are one to ones and
	// those that have another value than zero to vals. With room in the slices
	// it allocates nothing.
	AppendRow(ones []uint32, vals []Entry, p P) ([]uint32, []Entry)
}

// Entry is a column and its value in a row.
type Entry struct {
	Index uint32
	Value float32
}

// Family describes a family of columns, in a set or by itself.
type Family struct {
	Name     string // as in a spec
	About    string // one line
	From, To int    // its columns are From ≤ i < To
	Stages   int    // stages of the game that have columns of their own; 1 is none
	Compiles bool   // whether the engine's tables can hold it
}
