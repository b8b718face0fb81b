-- Times are milliseconds since 1970 (UTC) unless a column is called *_on, which holds a date as YYYY-MM-DD.

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

---------------------------------------------------------------------------------------------------- who is who

CREATE TABLE users (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  username      TEXT NOT NULL COLLATE NOCASE UNIQUE,
  name          TEXT NOT NULL,
  email         TEXT NOT NULL COLLATE NOCASE UNIQUE,
  state         TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'blocked')),
  is_admin      INTEGER NOT NULL DEFAULT 0 CHECK (is_admin IN (0, 1)),
  external      INTEGER NOT NULL DEFAULT 0 CHECK (external IN (0, 1)),
  password_hash TEXT,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL
) STRICT;

-- Groups and personal namespaces share one sequence of ids, as they do in GitLab.
CREATE TABLE namespaces (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  kind        TEXT NOT NULL CHECK (kind IN ('group', 'user')),
  parent_id   INTEGER REFERENCES namespaces (id) ON DELETE CASCADE,
  owner_id    INTEGER REFERENCES users (id) ON DELETE CASCADE,
  path        TEXT NOT NULL,
  full_path   TEXT NOT NULL COLLATE NOCASE UNIQUE,
  name        TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  visibility  TEXT NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'internal', 'public')),
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  CHECK ((kind = 'user') = (owner_id IS NOT NULL)),
  CHECK (kind = 'group' OR parent_id IS NULL)
) STRICT;
CREATE INDEX namespaces_by_parent ON namespaces (parent_id);

CREATE TABLE projects (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace_id INTEGER NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  path         TEXT NOT NULL,
  full_path    TEXT NOT NULL COLLATE NOCASE UNIQUE,
  name         TEXT NOT NULL,
  description  TEXT NOT NULL DEFAULT '',
  visibility   TEXT NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'internal', 'public')),
  creator_id   INTEGER REFERENCES users (id) ON DELETE SET NULL,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX projects_by_namespace ON projects (namespace_id);

-- Full paths that projects had before they were moved; whoever still uses one is sent on.
CREATE TABLE project_redirects (
  old_full_path TEXT PRIMARY KEY COLLATE NOCASE,
  project_id    INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX project_redirects_by_project ON project_redirects (project_id);

CREATE TABLE group_members (
  group_id     INTEGER NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  user_id      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  access_level INTEGER NOT NULL CHECK (access_level IN (10, 15, 20, 30, 40, 50)),
  created_by   INTEGER REFERENCES users (id) ON DELETE SET NULL,
  created_at   INTEGER NOT NULL,
  expires_on   TEXT,
  PRIMARY KEY (group_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX group_members_by_user ON group_members (user_id);

CREATE TABLE project_members (
  project_id   INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  user_id      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  access_level INTEGER NOT NULL CHECK (access_level IN (10, 15, 20, 30, 40, 50)),
  created_by   INTEGER REFERENCES users (id) ON DELETE SET NULL,
  created_at   INTEGER NOT NULL,
  expires_on   TEXT,
  PRIMARY KEY (project_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX project_members_by_user ON project_members (user_id);

-- "group_id" is the group that is invited; "shared_group_id" and "project_id" are what it is invited to.
CREATE TABLE group_shares (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  shared_group_id INTEGER NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  group_id        INTEGER NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  group_access    INTEGER NOT NULL CHECK (group_access IN (10, 15, 20, 30, 40, 50)),
  created_at      INTEGER NOT NULL,
  expires_on      TEXT,
  UNIQUE (shared_group_id, group_id)
) STRICT;
CREATE INDEX group_shares_by_group ON group_shares (group_id);

CREATE TABLE project_shares (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id   INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  group_id     INTEGER NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  group_access INTEGER NOT NULL CHECK (group_access IN (10, 15, 20, 30, 40, 50)),
  created_at   INTEGER NOT NULL,
  expires_on   TEXT,
  UNIQUE (project_id, group_id)
) STRICT;
CREATE INDEX project_shares_by_group ON project_shares (group_id);

CREATE TABLE access_tokens (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name         TEXT NOT NULL,
  description  TEXT NOT NULL DEFAULT '',
  scopes       TEXT NOT NULL,
  token_sha256 BLOB NOT NULL UNIQUE,
  hint         TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  expires_on   TEXT,
  revoked_at   INTEGER,
  last_used_at INTEGER
) STRICT;
CREATE INDEX access_tokens_by_user ON access_tokens (user_id);

---------------------------------------------------------------------------------------------------- packages

-- One row for each distinct content under DATA/tarballs, keyed by its SHA-512 in hex.
CREATE TABLE tarballs (
  sha512     TEXT PRIMARY KEY,
  sha1       TEXT NOT NULL,
  size       INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- "revision" counts the changes of anything that a packument of this package shows.
CREATE TABLE packages (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  revision   INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project_id, name)
) STRICT;
CREATE INDEX packages_by_name ON packages (name);

-- "manifest" is the published manifest without readme and dist, as JSON; "abbreviated" the part of it that installers need.
CREATE TABLE package_versions (
  id                 INTEGER PRIMARY KEY AUTOINCREMENT,
  package_id         INTEGER NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
  version            TEXT NOT NULL,
  published_at       INTEGER NOT NULL,
  publisher_id       INTEGER REFERENCES users (id) ON DELETE SET NULL,
  tarball_sha512     TEXT NOT NULL REFERENCES tarballs (sha512),
  integrity          TEXT NOT NULL,
  shasum             TEXT NOT NULL,
  size               INTEGER NOT NULL,
  file_count         INTEGER NOT NULL,
  unpacked_size      INTEGER NOT NULL,
  manifest           TEXT NOT NULL,
  abbreviated        TEXT NOT NULL,
  deprecated         TEXT,
  signature_key_id   TEXT NOT NULL,
  signature          TEXT NOT NULL,
  last_downloaded_at INTEGER,
  download_count     INTEGER NOT NULL DEFAULT 0,
  UNIQUE (package_id, version)
) STRICT;
CREATE INDEX package_versions_by_tarball ON package_versions (tarball_sha512);

CREATE TABLE version_readmes (
  version_id INTEGER PRIMARY KEY REFERENCES package_versions (id) ON DELETE CASCADE,
  filename   TEXT NOT NULL,
  readme     TEXT NOT NULL
) STRICT;

CREATE TABLE dist_tags (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  package_id INTEGER NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
  tag        TEXT NOT NULL,
  version_id INTEGER NOT NULL REFERENCES package_versions (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (package_id, tag)
) STRICT;
CREATE INDEX dist_tags_by_version ON dist_tags (version_id);

CREATE INDEX package_versions_facts ON package_versions (package_id, published_at, size);

-- What lists and searches show of a package, kept up to date with every change of it.
CREATE TABLE package_summaries (
  package_id        INTEGER PRIMARY KEY REFERENCES packages (id) ON DELETE CASCADE,
  project_id        INTEGER NOT NULL,
  name              TEXT NOT NULL,
  scope             TEXT,
  description       TEXT NOT NULL,
  keywords          TEXT NOT NULL,
  latest_version_id INTEGER,
  latest            TEXT,
  deprecated        INTEGER NOT NULL,
  version_count     INTEGER NOT NULL,
  tag_count         INTEGER NOT NULL,
  total_size        INTEGER NOT NULL,
  published_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX package_summaries_by_name ON package_summaries (name, package_id);
CREATE INDEX package_summaries_by_publish ON package_summaries (published_at, package_id);
CREATE INDEX package_summaries_by_size ON package_summaries (total_size, package_id);

CREATE VIRTUAL TABLE package_search USING fts5 (
  name, description, keywords, readme,
  content = '', contentless_delete = 1, prefix = '2 3', tokenize = "unicode61 remove_diacritics 2"
);
CREATE TRIGGER package_summaries_deleted AFTER DELETE ON package_summaries BEGIN
  DELETE FROM package_search WHERE rowid = old.package_id;
END;

-- Provenance bundles that came along with a publish, as the text they are.
CREATE TABLE version_bundles (
  version_id     INTEGER PRIMARY KEY REFERENCES package_versions (id) ON DELETE CASCADE,
  predicate_type TEXT NOT NULL,
  bundle         TEXT NOT NULL
) STRICT;

CREATE TABLE package_maintainers (
  package_id INTEGER NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
  user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (package_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE package_stars (
  package_id INTEGER NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
  user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (package_id, user_id)
) STRICT, WITHOUT ROWID;

-- ECDSA P-256; the newest without an end signs. Both keys in PEM.
CREATE TABLE signing_keys (
  key_id      TEXT PRIMARY KEY,
  public_key  TEXT NOT NULL,
  private_key TEXT NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT;

---------------------------------------------------------------------------------------------------- environments

CREATE TABLE environments (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id   INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name         TEXT NOT NULL,
  slug         TEXT NOT NULL,
  external_url TEXT,
  description  TEXT,
  tier         TEXT NOT NULL CHECK (tier IN ('production', 'staging', 'testing', 'development', 'other')),
  state        TEXT NOT NULL DEFAULT 'available' CHECK (state IN ('available', 'stopping', 'stopped')),
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  UNIQUE (project_id, name)
) STRICT;

-- Belongs to a project, or to a group, where the name is a tier.
CREATE TABLE protected_environments (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
  group_id   INTEGER REFERENCES namespaces (id) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK ((project_id IS NULL) <> (group_id IS NULL))
) STRICT;
CREATE UNIQUE INDEX protected_environments_of_project ON protected_environments (project_id, name) WHERE project_id IS NOT NULL;
CREATE UNIQUE INDEX protected_environments_of_group ON protected_environments (group_id, name) WHERE group_id IS NOT NULL;

CREATE TABLE deploy_access_levels (
  id                       INTEGER PRIMARY KEY AUTOINCREMENT,
  protected_environment_id INTEGER NOT NULL REFERENCES protected_environments (id) ON DELETE CASCADE,
  access_level             INTEGER CHECK (access_level IN (30, 40, 60)),
  user_id                  INTEGER REFERENCES users (id) ON DELETE CASCADE,
  group_id                 INTEGER REFERENCES namespaces (id) ON DELETE CASCADE,
  group_inheritance_type   INTEGER NOT NULL DEFAULT 0 CHECK (group_inheritance_type IN (0, 1)),
  CHECK ((access_level IS NOT NULL) + (user_id IS NOT NULL) + (group_id IS NOT NULL) = 1)
) STRICT;
CREATE INDEX deploy_access_levels_by_environment ON deploy_access_levels (protected_environment_id);

CREATE TABLE approval_rules (
  id                       INTEGER PRIMARY KEY AUTOINCREMENT,
  protected_environment_id INTEGER NOT NULL REFERENCES protected_environments (id) ON DELETE CASCADE,
  access_level             INTEGER CHECK (access_level IN (30, 40, 60)),
  user_id                  INTEGER REFERENCES users (id) ON DELETE CASCADE,
  group_id                 INTEGER REFERENCES namespaces (id) ON DELETE CASCADE,
  group_inheritance_type   INTEGER NOT NULL DEFAULT 0 CHECK (group_inheritance_type IN (0, 1)),
  required_approvals       INTEGER NOT NULL DEFAULT 1 CHECK (required_approvals BETWEEN 1 AND 5)
) STRICT;
CREATE INDEX approval_rules_by_environment ON approval_rules (protected_environment_id);

---------------------------------------------------------------------------------------------------- what happened

-- Names are kept beside ids, so that a row still reads well when what it speaks of is gone.
CREATE TABLE audit_events (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  at          INTEGER NOT NULL,
  actor_id    INTEGER,
  actor_name  TEXT NOT NULL,
  origin      TEXT NOT NULL CHECK (origin IN ('http', 'window', 'cli', 'system')),
  address     TEXT,
  action      TEXT NOT NULL,
  target_type TEXT NOT NULL,
  target_id   INTEGER,
  target_name TEXT NOT NULL,
  project_id  INTEGER,
  group_id    INTEGER,
  before      TEXT,
  after       TEXT
) STRICT;
CREATE INDEX audit_events_by_project ON audit_events (project_id, id);
