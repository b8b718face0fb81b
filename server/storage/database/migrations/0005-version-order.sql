-- Lists of versions across packages can be asked for in the order of their version text.
CREATE INDEX package_versions_by_version ON package_versions (version, id);
