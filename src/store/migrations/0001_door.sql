-- What happened. `record` is canonical JSON; the other columns are read out of it, so they cannot say anything else.
CREATE TABLE audit (
  seq      INTEGER PRIMARY KEY,
  record   TEXT NOT NULL,
  hash     BLOB NOT NULL CHECK (length(hash) = 32),
  at       INTEGER GENERATED ALWAYS AS (record ->> '$.at') VIRTUAL,
  kind     TEXT GENERATED ALWAYS AS (record ->> '$.kind') VIRTUAL,
  grant_id TEXT GENERATED ALWAYS AS (record ->> '$.grant') VIRTUAL
) STRICT;
-- How a grant was used is asked on its every request, and counted: the index answers, and no record is read.
CREATE INDEX audit_by_grant ON audit (grant_id, kind, at) WHERE grant_id IS NOT NULL;

-- Signed heads of the chain.
CREATE TABLE checkpoints (
  seq       INTEGER PRIMARY KEY,
  at        INTEGER NOT NULL,
  hash      BLOB NOT NULL CHECK (length(hash) = 32),
  key_id    TEXT NOT NULL,
  signature BLOB NOT NULL
) STRICT;

-- What the owner allowed. A revoked or replaced grant is gone from here; the audit remembers it.
CREATE TABLE grants (
  id           TEXT PRIMARY KEY,
  name         TEXT NOT NULL UNIQUE,
  token_digest BLOB NOT NULL UNIQUE CHECK (length(token_digest) = 32),
  client_id    TEXT NOT NULL,
  client_name  TEXT,
  scopes       TEXT NOT NULL,
  resource     TEXT NOT NULL,
  public_url   TEXT NOT NULL,
  created_at   INTEGER NOT NULL
) STRICT;

-- The owner's one WebAuthn user handle.
CREATE TABLE owner (
  id          INTEGER PRIMARY KEY CHECK (id = 1),
  user_handle TEXT NOT NULL
) STRICT;

CREATE TABLE passkeys (
  id           TEXT PRIMARY KEY,
  credential   TEXT NOT NULL,
  label        TEXT,
  public_url   TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;

-- At most one enrollment link is live.
CREATE TABLE enroll_links (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  digest     BLOB NOT NULL CHECK (length(digest) = 32),
  issued_at  INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

-- A WebAuthn challenge and what it stands for. Single use: a row is deleted by the first submit that names it.
CREATE TABLE ceremonies (
  challenge  TEXT PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  kind       TEXT NOT NULL,
  state      TEXT NOT NULL,
  binding    TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX ceremonies_by_expiry ON ceremonies (expires_at);

-- Authorization codes, by the digest of the code. Single use.
CREATE TABLE codes (
  digest     BLOB PRIMARY KEY CHECK (length(digest) = 32),
  name       TEXT NOT NULL,
  client_id  TEXT NOT NULL,
  request    TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

-- Client assertions that were used, until they expire (RFC 7523 section 3).
CREATE TABLE assertions (
  client_id  TEXT NOT NULL,
  jti        TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (client_id, jti)
) STRICT, WITHOUT ROWID;

-- Client documents the owner keeps here, for clients that have none of their own.
CREATE TABLE clients (
  name          TEXT PRIMARY KEY,
  redirect_uris TEXT NOT NULL,
  created_at    INTEGER NOT NULL
) STRICT;

-- What assistants recorded: the journal that ReadEvents shows.
CREATE TABLE journal (
  n           INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  at          INTEGER NOT NULL,
  type        TEXT NOT NULL,
  session_key TEXT NOT NULL,
  source_kind TEXT NOT NULL,
  payload     TEXT NOT NULL,
  dedup       TEXT UNIQUE
) STRICT;
CREATE INDEX journal_by_time ON journal (at, n);
