package votes

// Pragma sets one of the connection, for tests of a disk that fails.
func (db *DB) Pragma(statement string) error {
	_, err := db.sql.Exec(statement)
	return err
}
