package votes

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"marlpit/shaping/ledger"
)

// One annotator labels a file once at a time. Who does renews its row every
// few seconds; a row is nobody's when its process is gone from this host, or
// when it wasn't renewed for long (another host, a pid used again).
const (
	beatEvery = 5 * time.Second
	beatLost  = time.Minute
)

// begin notes the annotator and takes its lock. It returns an error wrapping
// ErrBusy that says who holds it.
func (l *labelling) begin(ctx context.Context) error {
	host, _ := os.Hostname() // "" is a name as well
	l.owner = rand.Text()
	return l.db.file.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO annotators (name) VALUES (?) ON CONFLICT DO NOTHING`, l.report.Annotator)
		if err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, `SELECT id FROM annotators WHERE name = ?`, l.report.Annotator).Scan(&l.id); err != nil {
			return err
		}
		var owner, theirs, since string
		var pid int
		var beat int64
		err = tx.QueryRowContext(ctx, `SELECT owner, host, pid, since, beat FROM labellings WHERE annotator = ?`, l.id).Scan(&owner, &theirs, &pid, &since, &beat)
		quiet := time.Since(time.Unix(beat, 0)) > beatLost
		switch {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return err
		case !quiet && (theirs != host || working(pid, owner)):
			return fmt.Errorf("%w: process %d on %q since %s; wait for it or end it, or label under other options", ErrBusy, pid, theirs, since)
		}
		_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO labellings VALUES (?,?,?,?,?,?)`,
			l.id, l.owner, host, os.Getpid(), ledger.Now(), time.Now().Unix())
		owners.Store(l.owner, true)
		return err
	})
}

// owners are the locks of this process: in a container that was started again
// the one before had the same number.
var owners sync.Map

// working says whether the owner of a lock on this host is still there.
func working(pid int, owner string) bool {
	if pid == os.Getpid() {
		_, ok := owners.Load(owner)
		return ok
	}
	return alive(pid)
}

// beat renews the lock until ctx ends. Where somebody took it over (this
// process slept for long), the labelling ends: two would pay twice.
func (l *labelling) beat(ctx context.Context, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		res, err := l.db.file.ExecContext(ctx, `UPDATE labellings SET beat = ? WHERE annotator = ? AND owner = ?`, time.Now().Unix(), l.id, l.owner)
		if err != nil {
			continue // a disk that fails shows at the next answer
		}
		if n, err := res.RowsAffected(); err == nil && n == 0 {
			cancel(fmt.Errorf("%w: another process took over", ErrBusy))
			return
		}
	}
}

// finish gives the lock back. What fails here is mended by the next to come.
func (l *labelling) finish() {
	owners.Delete(l.owner)
	_, _ = l.db.file.Exec(`DELETE FROM labellings WHERE annotator = ? AND owner = ?`, l.id, l.owner)
}
