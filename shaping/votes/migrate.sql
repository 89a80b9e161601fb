-- From version 1 of the format to version 2.
ALTER TABLE transition_agents ADD COLUMN family TEXT NOT NULL DEFAULT '';
ALTER TABLE requests ADD COLUMN annotator INTEGER REFERENCES annotators(id);
ALTER TABLE requests ADD COLUMN cost REAL NOT NULL DEFAULT 0;
ALTER TABLE requests ADD COLUMN currency TEXT NOT NULL DEFAULT '';
DROP VIEW v_votes;
DROP VIEW v_confidence;
DROP VIEW v_requests;
