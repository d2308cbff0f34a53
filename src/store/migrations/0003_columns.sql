-- What is asked of the audit stands beside each record instead of being read out of it by every index at every insert. It cannot say
-- anything else unnoticed: verification compares the two. One index holds what is asked of a grant: what each further one costs, every call
-- pays.
CREATE TABLE records (
  seq      INTEGER PRIMARY KEY,
  record   TEXT NOT NULL,
  hash     BLOB NOT NULL CHECK (length(hash) = 32),
  at       INTEGER NOT NULL,
  kind     TEXT NOT NULL,
  grant_id TEXT
) STRICT;
INSERT INTO records (seq, record, hash, at, kind, grant_id) SELECT seq, record, hash, at, kind, grant_id FROM audit ORDER BY seq;
DROP TABLE audit;
ALTER TABLE records RENAME TO audit;
CREATE INDEX audit_by_grant ON audit (grant_id, kind, at) WHERE grant_id IS NOT NULL;
CREATE INDEX audit_approvals ON audit (kind) WHERE kind = 'authorization.approved';
