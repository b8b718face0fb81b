-- A package's summary is written in the transaction that changes the package, so none is ever stale.
DROP TABLE stale_summaries;
