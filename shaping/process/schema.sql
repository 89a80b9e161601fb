-- What critics said of rounds. docs/process.md explains it for people.

CREATE TABLE rounds (
  key         BLOB PRIMARY KEY,         -- first 16 bytes of the SHA-256 of round
  round       TEXT NOT NULL,            -- as a critic sees it, JSON
  world       TEXT NOT NULL,
  template    TEXT NOT NULL,
  app         TEXT NOT NULL,
  agents      TEXT NOT NULL,            -- of the proposals, in order, JSON
  right       TEXT,                     -- which proposals are right by the task's own solution, JSON; NULL: unknown
  adversarial TEXT NOT NULL DEFAULT '[]', -- actions made to be wrong, JSON
  at          TEXT NOT NULL             -- UTC
) WITHOUT ROWID;

CREATE TABLE critics (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE             -- kind, model, options, prompt
);

-- One row for each answer: valid ones have a row in scores for each agent.
CREATE TABLE answers (
  round   BLOB NOT NULL REFERENCES rounds(key),
  critic  INTEGER NOT NULL REFERENCES critics(id),
  invalid TEXT NOT NULL,                -- why nothing can be made of it; '' for a valid answer
  at      TEXT NOT NULL,                -- UTC
  PRIMARY KEY (round, critic)
) WITHOUT ROWID;

CREATE TABLE scores (
  round  BLOB NOT NULL,
  critic INTEGER NOT NULL,
  agent  TEXT NOT NULL,
  score  REAL NOT NULL CHECK (score >= 0 AND score <= 1),
  reason TEXT NOT NULL,
  PRIMARY KEY (round, critic, agent),
  FOREIGN KEY (round, critic) REFERENCES answers(round, critic)
) WITHOUT ROWID;

CREATE TABLE prompts (
  hash TEXT PRIMARY KEY,                -- SHA-256 of text
  name TEXT NOT NULL,                   -- kind and version
  text TEXT NOT NULL                    -- template
) WITHOUT ROWID;

-- Every exchange with a model, word by word.
CREATE TABLE requests (
  id                INTEGER PRIMARY KEY,
  key               TEXT NOT NULL,      -- equal for what needn't be asked twice
  prompt            TEXT NOT NULL,
  body              BLOB NOT NULL,      -- as sent
  reply             BLOB NOT NULL,      -- as received
  status            INTEGER NOT NULL,   -- HTTP; 0: no reply
  answered          INTEGER NOT NULL,   -- 1: holds a model's reply
  prompt_tokens     INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  cost              REAL NOT NULL,      -- money, by the prices at that time
  currency          TEXT NOT NULL,      -- '' where no price was known
  at                TEXT NOT NULL       -- UTC
);
CREATE UNIQUE INDEX requests_answered ON requests (key) WHERE answered = 1;

-- For reading: what each critic said of each proposal.
CREATE VIEW v_scores AS
SELECT hex(s.round) AS round, c.name AS critic, r.world, r.template, r.app, s.agent, s.score, s.reason,
       json_extract(r.round, '$.goal') AS goal
FROM scores s JOIN critics c ON c.id = s.critic JOIN rounds r ON r.key = s.round;
