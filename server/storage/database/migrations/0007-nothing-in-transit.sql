-- A tarball is a file before its version is committed, and a package's summary is written in the transaction that changes the package.
-- What older versions left in these tables is settled before this step (legacy-tables.ts).
DROP TABLE fresh_tarballs;
DROP TABLE stale_summaries;
