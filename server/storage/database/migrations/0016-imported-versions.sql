-- 1 for a version that came in a bundle: whoever imported it is its publisher here, and its time is that of the import.
ALTER TABLE package_versions ADD COLUMN imported INTEGER NOT NULL DEFAULT 0 CHECK (imported IN (0, 1));
