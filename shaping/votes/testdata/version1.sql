-- One file is one world: what was seen there, what critics were asked about it,
-- and what they said. docs/votes.md explains it for people.

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE worlds (
  id          INTEGER PRIMARY KEY CHECK (id = 1),
  env         TEXT NOT NULL,    -- id, "two-switch-v1"
  params      TEXT NOT NULL,    -- every parameter, JSON, as the user will play it
  obs_version INTEGER NOT NULL, -- of the observation and state layout
  agents      TEXT NOT NULL,    -- names, JSON, in the order of agent numbers
  state_size  INTEGER NOT NULL, -- elements of state_a, state_b
  focus_sizes TEXT NOT NULL     -- elements of focus_a, focus_b for each agent, JSON; [] where the world has none
);

CREATE TABLE collections (
  id       INTEGER PRIMARY KEY,
  seed     TEXT NOT NULL,      -- decimal; too large for a signed integer perhaps
  policy   TEXT NOT NULL,      -- "random"
  params   TEXT NOT NULL,      -- as played: with the limit of steps off
  copies   INTEGER NOT NULL,
  steps    INTEGER NOT NULL,   -- played by each copy
  frames   INTEGER NOT NULL,   -- copies × steps: what a method has to be charged
  changed  INTEGER NOT NULL,   -- transitions in which the state changed
  distinct_pairs INTEGER NOT NULL,
  kept     INTEGER NOT NULL,
  solver   TEXT NOT NULL       -- "exact", or why there is no exact credit
);

CREATE TABLE texts (
  id   INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,   -- first 16 bytes of the text's SHA-256
  text TEXT NOT NULL
);

CREATE TABLE transitions (
  id         INTEGER PRIMARY KEY,
  collection INTEGER NOT NULL REFERENCES collections(id),
  pair       INTEGER NOT NULL UNIQUE, -- hash of the two states
  seed       TEXT NOT NULL,    -- of the episode it was seen in
  copy       INTEGER NOT NULL,
  step       INTEGER NOT NULL, -- of the episode, from 0
  actions    TEXT NOT NULL,    -- joint action, JSON (agents × dims)
  snapshot_a BLOB NOT NULL,
  snapshot_b BLOB NOT NULL,
  state_a    BLOB NOT NULL,    -- float32, little-endian
  state_b    BLOB NOT NULL,
  terminal   INTEGER NOT NULL, -- 1 where the episode ended at b
  held       INTEGER NOT NULL  -- 1 where it is held out of every fit
);

-- One row for each agent of a transition; agent -1 is the team as a whole, whose
-- words are those of its members together and are not stored again.
CREATE TABLE transition_agents (
  transition      INTEGER NOT NULL REFERENCES transitions(id),
  agent           INTEGER NOT NULL,
  question        INTEGER NOT NULL UNIQUE, -- identifies pair and agent
  guided_forward  INTEGER REFERENCES texts(id), -- words of a → b; NULL where the world has no words
  guided_backward INTEGER REFERENCES texts(id), -- words of b → a
  plain_forward   INTEGER REFERENCES texts(id),
  plain_backward  INTEGER REFERENCES texts(id),
  focus_a         BLOB,        -- float32, little-endian; NULL where there are none
  focus_b         BLOB,
  truth           REAL,        -- exact credit of the agent's move; NULL: unknown
  PRIMARY KEY (transition, agent)
) WITHOUT ROWID;

CREATE TABLE prompts (
  hash TEXT PRIMARY KEY,       -- SHA-256 of text
  name TEXT NOT NULL,          -- kind and version
  text TEXT NOT NULL           -- template
) WITHOUT ROWID;

-- Every exchange with a model, word by word.
CREATE TABLE requests (
  id                INTEGER PRIMARY KEY,
  key               TEXT NOT NULL,    -- equal for what needn't be asked twice
  question          INTEGER NOT NULL,
  query             INTEGER NOT NULL,
  prompt            TEXT NOT NULL,
  body              BLOB NOT NULL,    -- as sent
  reply             BLOB NOT NULL,    -- as received
  status            INTEGER NOT NULL, -- HTTP; 0: no reply
  answered          INTEGER NOT NULL, -- 1: holds a model's reply
  prompt_tokens     INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  at                TEXT NOT NULL     -- UTC
);
CREATE UNIQUE INDEX requests_answered ON requests (key) WHERE answered = 1;
CREATE INDEX requests_question ON requests (question, query);

CREATE TABLE annotators (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE    -- critic with its options, and the viewpoint of the words
);

CREATE TABLE votes (
  transition INTEGER NOT NULL,
  agent      INTEGER NOT NULL,
  annotator  INTEGER NOT NULL REFERENCES annotators(id),
  query      INTEGER NOT NULL, -- from 0
  vote       TEXT NOT NULL CHECK (vote IN ('first', 'second', 'tie', 'invalid')),
  confidence REAL,             -- that b is the better; NULL where invalid
  flipped    INTEGER NOT NULL, -- 1: the two orders contradicted each other
  reason     TEXT NOT NULL,    -- why it is invalid
  at         TEXT NOT NULL,    -- UTC
  PRIMARY KEY (transition, agent, annotator, query),
  FOREIGN KEY (transition, agent) REFERENCES transition_agents(transition, agent)
) WITHOUT ROWID;

CREATE VIEW v_votes AS
SELECT v.transition, v.agent,
       CASE v.agent WHEN -1 THEN 'team' ELSE json_extract(w.agents, '$[' || v.agent || ']') END AS agent_name,
       n.name AS annotator, v.query, v.vote, v.confidence, v.flipped, v.reason, a.truth,
       g.text AS guided, p.text AS plain, v.at
FROM votes v
JOIN annotators n ON n.id = v.annotator
JOIN transition_agents a USING (transition, agent)
JOIN worlds w
LEFT JOIN texts g ON g.id = a.guided_forward
LEFT JOIN texts p ON p.id = a.plain_forward;

CREATE VIEW v_confidence AS
SELECT v.transition, v.agent, n.name AS annotator,
       sum(vote <> 'invalid') AS valid, sum(vote = 'first') AS first, sum(vote = 'second') AS second,
       sum(vote = 'tie') AS tie, sum(vote = 'invalid') AS invalid, sum(flipped) AS flipped,
       (sum(vote = 'second') + 0.5 * sum(vote = 'tie')) / nullif(sum(vote <> 'invalid'), 0) AS confidence,
       avg(CASE WHEN vote <> 'invalid' THEN v.confidence END) AS mean_confidence,
       a.truth
FROM votes v
JOIN annotators n ON n.id = v.annotator
JOIN transition_agents a USING (transition, agent)
GROUP BY v.transition, v.agent, v.annotator;

CREATE VIEW v_requests AS
SELECT r.id, a.transition, a.agent, r.query, p.name AS prompt, r.status, r.answered,
       CAST(r.body AS TEXT) AS body, CAST(r.reply AS TEXT) AS reply, r.prompt_tokens, r.completion_tokens, r.at
FROM requests r
LEFT JOIN transition_agents a USING (question)
LEFT JOIN prompts p ON p.hash = r.prompt;
