package games

// AtMost lowers the number of records that a file may have, until the function is called that
// it returns.
func AtMost(records int) (restore func()) {
	old := mostRecords
	mostRecords = records
	return func() { mostRecords = old }
}
