-- Small tarballs are committed together with their version, so that a publish waits for one sync; soon after each is moved to its file
-- under DATA/tarballs. Which contents wait is known in memory, so no index slows the publish down.
CREATE TABLE fresh_tarballs (
  id     INTEGER PRIMARY KEY,
  sha512 TEXT NOT NULL,
  bytes  BLOB NOT NULL
) STRICT;

-- Packages whose row in "package_summaries" and whose words in "package_search" are older than they are. Whoever reads those brings
-- them up to date first.
CREATE TABLE stale_summaries (
  package_id INTEGER PRIMARY KEY
) STRICT;
