-- Downloads of each package and day (YYYY-MM-DD, UTC), for the sums of the last week and month that searches show.
CREATE TABLE package_downloads (
  package_id INTEGER NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
  day        TEXT NOT NULL,
  count      INTEGER NOT NULL,
  PRIMARY KEY (package_id, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX package_downloads_by_day ON package_downloads (day);

-- What the latest version of each package depends on, development aside; derived, as package_summaries is.
CREATE TABLE package_dependencies (
  package_id INTEGER NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  PRIMARY KEY (package_id, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX package_dependencies_by_name ON package_dependencies (name);

INSERT OR IGNORE INTO package_dependencies (package_id, name)
SELECT s.package_id, d.key
FROM package_summaries s
  JOIN package_versions v ON v.id = s.latest_version_id
  JOIN (VALUES ('$.dependencies'), ('$.optionalDependencies'), ('$.peerDependencies')) AS kind
  JOIN json_each(CASE WHEN json_valid(v.manifest) THEN v.manifest ELSE '{}' END, kind.column1) d
WHERE d.type = 'text' AND typeof(d.key) = 'text';
