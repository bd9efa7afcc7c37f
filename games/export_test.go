package games

// AtMost lowers the maximum number of records of a file until restore is called.
func AtMost(records int) (restore func()) {
	old := mostRecords
	mostRecords = records
	return func() { mostRecords = old }
}
