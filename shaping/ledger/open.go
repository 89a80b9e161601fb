package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// How a file is opened: what its address ends in. SQLite keeps what was
// committed last in a file beside it, the log (-wal), until the last one to use
// it closes it.
const (
	toWrite     = "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)&_txlock=immediate"
	withLog     = "?mode=ro&_pragma=busy_timeout(10000)"
	withoutLog  = "?mode=ro&immutable=1"
	sqliteStart = "SQLite format 3\x00"
)

// toRead is how a file is opened that can't be written; "" where there is none.
func toRead(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	start := make([]byte, len(sqliteStart))
	if _, err := f.Read(start); err != nil || string(start) != sqliteStart {
		return ""
	}
	if hasLog(path) {
		return withLog
	}
	return withoutLog // SQLite would want to make a log, at least an empty one
}

func hasLog(path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // the log is beside the file, not beside a link to it
	}
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0
}

// refused says whether SQLite couldn't write where it has to.
func refused(err error) bool {
	s, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return errors.Is(err, fs.ErrPermission)
	}
	code := s.Code() & 0xff // the rest is detail
	return code == lib.SQLITE_READONLY || code == lib.SQLITE_CANTOPEN
}

// explain says of a file that SQLite couldn't open what it doesn't say.
func explain(path string, err error, format *Format) error {
	var why string
	folder := filepath.Dir(path)
	info, missing := os.Stat(path)
	switch {
	case !refused(err):
		return err
	case missing == nil && info.IsDir():
		why = "it is a folder, a file is wanted"
	case missing == nil && hasLog(path):
		why = "what was committed last is in the log beside it, " + path + "-wal, which can be read only where its folder is writable: copy both to such a one"
	case missing == nil:
		return err
	default:
		why = "it can't be made: is " + folder + " writable?"
		if _, err := os.Stat(folder); err != nil {
			why = "there is no folder " + folder
		}
	}
	return fmt.Errorf("%w: %s: %s", format.Err, path, why)
}

// sound refuses a file that doesn't go with the log beside it: SQLite takes any
// log that is whole, also one that another file left there, and mixes the two.
// Nothing is written.
func sound(ctx context.Context, path string, format *Format) error {
	if _, err := os.Stat(path); err != nil || !hasLog(path) {
		return nil // it is made, or as it was left
	}
	db, err := connect(path, withLog)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	var says string
	err = db.QueryRowContext(ctx, `SELECT coalesce(
		(SELECT quick_check FROM pragma_quick_check WHERE quick_check <> 'ok' LIMIT 1),
		(SELECT 'rows of ' || "table" || ' belong to rows of ' || parent || ' that are not there' FROM pragma_foreign_key_check LIMIT 1), 'ok')`).Scan(&says)
	if s, ok := errors.AsType[*sqlite.Error](err); ok && s.Code()&0xff == lib.SQLITE_CORRUPT {
		says, err = err.Error(), nil
	}
	if err != nil || says == "ok" {
		return ctx.Err() // what else is wrong shows when it is opened
	}
	return fmt.Errorf("%w: %s and the log beside it, %s-wal, don't go together, or one of them is damaged (%.80q): the two are copied and restored together; "+
		"where the log is of another file, move it away", format.Err, path, path, says)
}
