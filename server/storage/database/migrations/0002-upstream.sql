-- Other registries: where they are, what was fetched from them, and what of ours is to be carried there.

-- Lists are JSON arrays. "token" is sealed with the key in DATA/upstream.key.
CREATE TABLE upstreams (
  id                     INTEGER PRIMARY KEY AUTOINCREMENT,
  name                   TEXT NOT NULL COLLATE NOCASE UNIQUE,
  kind                   TEXT NOT NULL CHECK (kind IN ('npm', 'gitlab', 'verdaccio', 'gatehouse', 'archive')),
  url                    TEXT NOT NULL,
  push_url               TEXT,
  scopes                 TEXT NOT NULL,
  enabled                INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  minimum_age_days       REAL NOT NULL,
  minimum_age_exceptions TEXT NOT NULL,
  fresh_seconds          INTEGER NOT NULL,
  budget_milliseconds    INTEGER NOT NULL,
  push_selection         TEXT NOT NULL,
  auto_push              INTEGER NOT NULL CHECK (auto_push IN (0, 1)),
  token                  TEXT,
  created_at             INTEGER NOT NULL,
  updated_at             INTEGER NOT NULL
) STRICT;

-- Packuments as they came, as gzipped JSON. "revision" grows whenever the content changes.
CREATE TABLE upstream_packuments (
  upstream_id   INTEGER NOT NULL REFERENCES upstreams (id) ON DELETE CASCADE,
  name          TEXT NOT NULL,
  revision      INTEGER NOT NULL,
  etag          TEXT,
  validated_at  INTEGER NOT NULL,
  version_count INTEGER NOT NULL,
  body          BLOB NOT NULL,
  PRIMARY KEY (upstream_id, name)
) STRICT;

-- Tarballs that were fetched and verified. "integrity" is what the packument said of them.
CREATE TABLE upstream_tarballs (
  upstream_id INTEGER NOT NULL REFERENCES upstreams (id) ON DELETE CASCADE,
  name        TEXT NOT NULL,
  version     TEXT NOT NULL,
  sha512      TEXT NOT NULL REFERENCES tarballs (sha512),
  integrity   TEXT NOT NULL,
  size        INTEGER NOT NULL,
  fetched_at  INTEGER NOT NULL,
  PRIMARY KEY (upstream_id, name, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX upstream_tarballs_by_content ON upstream_tarballs (sha512);

-- Every change of a package made here, in order; what the outbox replays. Written in the transaction of the change itself.
-- "value" is the integrity of a publish or unpublish, the version of a tag, the message of a deprecation.
CREATE TABLE outbox_changes (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  at         INTEGER NOT NULL,
  kind       TEXT NOT NULL CHECK (kind IN ('publish', 'tag.set', 'tag.remove', 'deprecate', 'unpublish')),
  project_id INTEGER NOT NULL,
  name       TEXT NOT NULL,
  version    TEXT,
  tag        TEXT,
  value      TEXT,
  tags       TEXT
) STRICT;
CREATE INDEX outbox_changes_by_name ON outbox_changes (name, id);

INSERT INTO outbox_changes (at, kind, project_id, name, version, value, tags)
  SELECT v.published_at, 'publish', p.project_id, p.name, v.version, v.integrity, '[]'
    FROM package_versions v JOIN packages p ON p.id = v.package_id ORDER BY v.published_at, v.id;
INSERT INTO outbox_changes (at, kind, project_id, name, version, value)
  SELECT v.published_at, 'deprecate', p.project_id, p.name, v.version, v.deprecated
    FROM package_versions v JOIN packages p ON p.id = v.package_id WHERE v.deprecated IS NOT NULL ORDER BY v.id;
INSERT INTO outbox_changes (at, kind, project_id, name, version, tag, value)
  SELECT t.updated_at, 'tag.set', p.project_id, p.name, v.version, t.tag, v.version
    FROM dist_tags t JOIN package_versions v ON v.id = t.version_id JOIN packages p ON p.id = t.package_id
   ORDER BY t.updated_at, t.id;

-- How far each change has come at each upstream that it is to go to.
CREATE TABLE outbox_items (
  upstream_id INTEGER NOT NULL REFERENCES upstreams (id) ON DELETE CASCADE,
  change_id   INTEGER NOT NULL REFERENCES outbox_changes (id) ON DELETE CASCADE,
  state       TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed', 'conflict', 'skipped')),
  forced      INTEGER NOT NULL DEFAULT 0 CHECK (forced IN (0, 1)),
  attempts    INTEGER NOT NULL DEFAULT 0,
  error       TEXT,
  here        TEXT,
  there       TEXT,
  updated_at  INTEGER NOT NULL,
  PRIMARY KEY (upstream_id, change_id)
) STRICT, WITHOUT ROWID;

-- The run under way, or the last one, of each upstream; one that was under way goes on after a restart.
CREATE TABLE outbox_runs (
  upstream_id INTEGER PRIMARY KEY REFERENCES upstreams (id) ON DELETE CASCADE,
  running     INTEGER NOT NULL CHECK (running IN (0, 1)),
  started_at  INTEGER NOT NULL,
  changes     TEXT NOT NULL
) STRICT;
