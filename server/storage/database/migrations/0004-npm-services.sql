---------------------------------------------------------------------------------------------------- audits

-- Known vulnerabilities, imported from a snapshot: one row for each package that an advisory is about.
CREATE TABLE advisories (
  id                  INTEGER PRIMARY KEY AUTOINCREMENT,
  source_id           TEXT NOT NULL,
  package_name        TEXT NOT NULL,
  -- The number that npm knows it by, where it has one.
  npm_id              INTEGER,
  title               TEXT NOT NULL,
  url                 TEXT NOT NULL,
  severity            TEXT NOT NULL CHECK (severity IN ('info', 'low', 'moderate', 'high', 'critical')),
  vulnerable_versions TEXT NOT NULL,
  patched_versions    TEXT NOT NULL,
  overview            TEXT NOT NULL,
  cwe                 TEXT NOT NULL,
  cves                TEXT NOT NULL,
  cvss_score          REAL NOT NULL,
  cvss_vector         TEXT,
  created_at          INTEGER NOT NULL,
  updated_at          INTEGER NOT NULL,
  imported_at         INTEGER NOT NULL,
  UNIQUE (package_name, source_id)
) STRICT;
CREATE INDEX advisories_by_source ON advisories (source_id);

---------------------------------------------------------------------------------------------------- staged publishing

-- A version that was uploaded and waits for approval; "version" holds all that becomes a row of package_versions then, as JSON.
CREATE TABLE staged_versions (
  id             TEXT PRIMARY KEY,
  project_id     INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name           TEXT NOT NULL,
  version        TEXT NOT NULL,
  tags           TEXT NOT NULL,
  tarball_sha512 TEXT NOT NULL REFERENCES tarballs (sha512),
  shasum         TEXT NOT NULL,
  size           INTEGER NOT NULL,
  actor_id       INTEGER REFERENCES users (id) ON DELETE SET NULL,
  actor_name     TEXT NOT NULL,
  content        TEXT NOT NULL,
  created_at     INTEGER NOT NULL,
  UNIQUE (project_id, name, version)
) STRICT;
CREATE INDEX staged_versions_by_tarball ON staged_versions (tarball_sha512);
CREATE INDEX staged_versions_by_time ON staged_versions (created_at);

---------------------------------------------------------------------------------------------------- settings of a project

-- "publish_age" is by how many milliseconds clients are told that versions are older than they are.
CREATE TABLE project_package_settings (
  project_id  INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  publish_age INTEGER NOT NULL DEFAULT 0 CHECK (publish_age >= 0)
) STRICT;
