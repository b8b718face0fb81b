-- Scopes ("@acme") and package names, in lower case, that belong to this registry for everybody. Without a namespace nobody owns them.
CREATE TABLE name_claims (
  name         TEXT PRIMARY KEY,
  namespace_id INTEGER REFERENCES namespaces (id) ON DELETE SET NULL,
  created_at   INTEGER NOT NULL,
  created_by   TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX name_claims_by_namespace ON name_claims (namespace_id);

-- Full paths that groups had before they were moved.
CREATE TABLE group_redirects (
  old_full_path TEXT PRIMARY KEY COLLATE NOCASE,
  group_id      INTEGER NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX group_redirects_by_group ON group_redirects (group_id);

-- Top groups are confirmed unless the audit trail says that an ordinary user made them.
INSERT INTO name_claims (name, namespace_id, created_at, created_by)
  SELECT '@' || lower(n.path), n.id, n.created_at, 'gatehouse' FROM namespaces n
   WHERE n.kind = 'group' AND n.parent_id IS NULL AND NOT EXISTS (
     SELECT 1 FROM audit_events a LEFT JOIN users u ON u.id = a.actor_id
      WHERE a.action = 'group.created' AND a.target_id = n.id AND a.origin = 'http' AND coalesce(u.is_admin, 0) = 0);

INSERT OR IGNORE INTO name_claims (name, namespace_id, created_at, created_by)
  SELECT lower(j.value), NULL, unixepoch() * 1000, 'gatehouse' FROM meta m, json_each(m.value) j
   WHERE m.key = 'upstream.reservedScopes' AND j.value LIKE '@_%';
DELETE FROM meta WHERE key = 'upstream.reservedScopes';

-- What was published below confirmed groups, and by administrators below their own names, stays local as it was: scopes as a whole.
CREATE TEMP TABLE confirmed_packages AS
  WITH RECURSIVE below (id, root) AS (
    SELECT id, id FROM namespaces WHERE id IN (SELECT namespace_id FROM name_claims)
    UNION ALL
    SELECT n.id, n.id FROM namespaces n JOIN users u ON u.id = n.owner_id WHERE u.is_admin = 1
    UNION ALL
    SELECT n.id, below.root FROM namespaces n JOIN below ON n.parent_id = below.id
  )
  SELECT k.id, k.name, k.created_at, below.root,
         CASE WHEN k.name LIKE '@%/%' THEN lower(substr(k.name, 1, instr(k.name, '/') - 1)) END AS scope
    FROM packages k JOIN projects p ON p.id = k.project_id JOIN below ON below.id = p.namespace_id;

INSERT OR IGNORE INTO name_claims (name, namespace_id, created_at, created_by)
  SELECT coalesce(scope, lower(name)), NULL, min(created_at), 'gatehouse' FROM confirmed_packages GROUP BY coalesce(scope, lower(name));

-- A name of another namespace's scope, which that namespace does not have, stays where it is.
INSERT OR IGNORE INTO name_claims (name, namespace_id, created_at, created_by)
  SELECT lower(c.name), c.root, c.created_at, 'gatehouse' FROM confirmed_packages c
    JOIN namespaces n ON n.parent_id IS NULL AND '@' || lower(n.path) = c.scope AND n.id <> c.root
   WHERE NOT EXISTS (SELECT 1 FROM confirmed_packages o WHERE o.root = n.id AND lower(o.name) = lower(c.name))
   ORDER BY c.id;

DROP TABLE confirmed_packages;
