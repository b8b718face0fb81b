-- Downloads of each day (YYYY-MM-DD, UTC), summed over everything: what the overview draws.
CREATE TABLE download_days (
  day   TEXT PRIMARY KEY,
  count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX package_versions_by_publish ON package_versions (published_at);
