package votes

// Pragma sets one of the connection, for tests of a disk that fails.
func (db *DB) Pragma(statement string) error {
	_, err := db.file.Exec(statement)
	return err
}
