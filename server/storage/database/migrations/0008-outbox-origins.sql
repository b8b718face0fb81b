-- Whose packages an outbox carries: {"groupId": n} for everything below a top group, {"projectIds": [n, …]}, or null for nothing.
ALTER TABLE upstreams ADD COLUMN push_from TEXT;

-- Whether this publish was sent from here. What another had published there before with the same bytes is not ours to unpublish.
ALTER TABLE outbox_items ADD COLUMN sent INTEGER NOT NULL DEFAULT 0 CHECK (sent IN (0, 1));
UPDATE outbox_items SET sent = 1 WHERE state = 'done' AND here IS NOT NULL AND there IS NULL
  AND change_id IN (SELECT id FROM outbox_changes WHERE kind = 'publish');
-- A publish that was gone again before its turn was never compared with the upstream.
UPDATE outbox_items SET state = 'skipped' WHERE state = 'done' AND here IS NULL
  AND change_id IN (SELECT id FROM outbox_changes WHERE kind = 'publish');

-- Outboxes that were chosen by name alone carry from the top group of their one scope, if an administrator created it and nothing was
-- carried from below "local" before; else from below "local".
WITH scopes AS (
  SELECT u.id AS upstream_id, max(substr(s.value, 2, instr(s.value || '/', '/') - 2)) AS path
    FROM upstreams u JOIN json_each(u.push_selection) s
   GROUP BY u.id
  HAVING min(s.value LIKE '@%' AND instr(substr(s.value, 1, instr(s.value || '/', '/')), '*') = 0) = 1
     AND count(DISTINCT lower(substr(s.value, 1, instr(s.value || '/', '/') - 1) )) = 1
), candidates AS (
  SELECT u.id AS upstream_id,
    (SELECT n.id FROM namespaces n JOIN scopes ON n.full_path = scopes.path
      WHERE scopes.upstream_id = u.id AND n.kind = 'group' AND n.parent_id IS NULL
        AND EXISTS (SELECT 1 FROM audit_events a WHERE a.action = 'group.created' AND a.target_id = n.id
          AND (a.origin <> 'http' OR a.actor_id IN (SELECT id FROM users WHERE is_admin = 1)))
        AND NOT EXISTS (SELECT 1 FROM outbox_items i JOIN outbox_changes c ON c.id = i.change_id JOIN projects p ON p.id = c.project_id
          WHERE i.upstream_id = u.id AND i.sent = 1 AND p.full_path LIKE 'local/%')) AS of_scope,
    (SELECT id FROM namespaces WHERE full_path = 'local' AND kind = 'group' AND parent_id IS NULL) AS of_local
  FROM upstreams u
  WHERE u.push_selection <> '[]' OR EXISTS (SELECT 1 FROM outbox_runs r WHERE r.upstream_id = u.id)
)
UPDATE upstreams SET push_from = (
    SELECT json_object('groupId', coalesce(c.of_scope, c.of_local)) FROM candidates c
     WHERE c.upstream_id = upstreams.id AND coalesce(c.of_scope, c.of_local) IS NOT NULL);

-- What was carried before and is not any more is said once, in Activity.
INSERT INTO audit_events (at, actor_name, origin, action, target_type, target_id, target_name, before, after)
  SELECT unixepoch() * 1000, 'gatehouse', 'system', 'outbox.narrowed', 'upstream', u.id, u.name,
         NULL,
         json_object('from', (SELECT full_path FROM namespaces WHERE id = json_extract(u.push_from, '$.groupId')),
           'no_longer_sent', json(json_group_array(DISTINCT p.full_path)))
    FROM upstreams u
    JOIN outbox_items i ON i.upstream_id = u.id AND i.state <> 'skipped'
    JOIN outbox_changes c ON c.id = i.change_id
    JOIN projects p ON p.id = c.project_id
   WHERE u.push_from IS NULL OR p.full_path NOT LIKE
         (SELECT full_path FROM namespaces WHERE id = json_extract(u.push_from, '$.groupId')) || '/%'
   GROUP BY u.id;
