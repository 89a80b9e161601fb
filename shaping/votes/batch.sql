-- Requests that were written into a file for a provider's batch API. The table
-- is there once something was.
CREATE TABLE IF NOT EXISTS batched (
  key       TEXT PRIMARY KEY,  -- custom_id of the line; as in requests
  annotator INTEGER NOT NULL REFERENCES annotators(id), -- who pays
  question  INTEGER NOT NULL,
  query     INTEGER NOT NULL,
  prompt    TEXT NOT NULL,
  body      BLOB NOT NULL,     -- as written
  at        TEXT NOT NULL,     -- UTC, when it was written last
  back      TEXT NOT NULL DEFAULT '' -- UTC, when a reply or an error came; '' while it is under way
) WITHOUT ROWID;
