-- What version 2 of the format added.

-- Which replies a vote was read from. Questions in equal words share them.
CREATE TABLE vote_requests (
  transition INTEGER NOT NULL,
  agent      INTEGER NOT NULL,
  annotator  INTEGER NOT NULL,
  query      INTEGER NOT NULL,
  request    INTEGER NOT NULL REFERENCES requests(id),
  PRIMARY KEY (transition, agent, annotator, query, request),
  FOREIGN KEY (transition, agent, annotator, query) REFERENCES votes(transition, agent, annotator, query) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX vote_requests_request ON vote_requests (request);

-- Who is labelling now: one at a time for each annotator.
CREATE TABLE labellings (
  annotator INTEGER PRIMARY KEY REFERENCES annotators(id),
  owner     TEXT NOT NULL,     -- random, of one run
  host      TEXT NOT NULL,
  pid       INTEGER NOT NULL,
  since     TEXT NOT NULL,     -- UTC
  beat      INTEGER NOT NULL   -- Unix seconds, renewed every few of them
);
