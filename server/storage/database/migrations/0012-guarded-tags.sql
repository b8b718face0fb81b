-- Dist-tags of a project's packages that are bound to an environment: who may deploy there may move them. "pattern" is a tag, or has `*`.
CREATE TABLE tag_guards (
  id                  INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id          INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  pattern             TEXT NOT NULL,
  environment         TEXT NOT NULL,
  allow_self_approval INTEGER NOT NULL DEFAULT 0 CHECK (allow_self_approval IN (0, 1)),
  created_at          INTEGER NOT NULL,
  updated_at          INTEGER NOT NULL,
  UNIQUE (project_id, pattern)
) STRICT;

-- What becomes of a change that a guard refuses. A project without a row refuses it.
CREATE TABLE guard_settings (
  project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  on_refusal TEXT NOT NULL DEFAULT 'refuse' CHECK (on_refusal IN ('refuse', 'stage'))
) STRICT;

-- A move of a guarded tag that waits for approval. "from_version" is what the tag meant then, null for nothing.
CREATE TABLE tag_requests (
  id           TEXT PRIMARY KEY,
  project_id   INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  package_id   INTEGER NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
  tag          TEXT NOT NULL,
  version      TEXT NOT NULL,
  from_version TEXT,
  actor_id     INTEGER REFERENCES users (id) ON DELETE SET NULL,
  actor_name   TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  UNIQUE (package_id, tag, version, actor_id)
) STRICT;
CREATE INDEX tag_requests_by_project ON tag_requests (project_id, created_at);

-- Approvals of a staged version or of a request. A rejection ends what it is about, so that there is no row for it.
CREATE TABLE approvals (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  staged_id      TEXT REFERENCES staged_versions (id) ON DELETE CASCADE,
  request_id     TEXT REFERENCES tag_requests (id) ON DELETE CASCADE,
  user_id        INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  comment        TEXT NOT NULL DEFAULT '',
  -- The description of the one rule that it counts for; null for every rule that the user matches.
  represented_as TEXT,
  created_at     INTEGER NOT NULL,
  CHECK ((staged_id IS NULL) <> (request_id IS NULL)),
  UNIQUE (staged_id, user_id),
  UNIQUE (request_id, user_id)
) STRICT;
