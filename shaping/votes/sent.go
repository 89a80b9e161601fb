package votes

import "context"

// Sent is the number of requests to endpoints that the file holds, further
// tries and failures included: what a budget that outlives a run has spent.
func (db *DB) Sent(ctx context.Context) (n int, err error) {
	err = db.sql.QueryRowContext(ctx, `SELECT count(*) FROM requests`).Scan(&n)
	return n, err
}
