import type { Sqlite } from '../database/sqlite.ts';

/**
 * Keeps what must not go back with a state: the backup schedule, signing keys, the numbers that were given, and, where the state is an
 * earlier one of the same registry, the audit trail and everything by which somebody may do less now than then.
 * @param state not in a transaction; has today's schema
 */
export function carryOver(live: Sqlite, state: Sqlite): void {
  state.prepare<[string]>('ATTACH ? AS live').run(live.name);
  try {
    state.transaction(() => {
      const isEarlier = isEarlierState(state);
      if (!isEarlier) disarm(state);
      state.exec(`INSERT OR REPLACE INTO main.meta SELECT * FROM live.meta WHERE key LIKE 'backup.%';
        INSERT OR REPLACE INTO main.signing_keys SELECT * FROM live.signing_keys;
        ${numbersGivenOnce}`);
      if (!isEarlier) return;
      state.exec(`CREATE TEMP TABLE since AS
        SELECT * FROM live.audit_events WHERE id > (SELECT coalesce(max(id), 0) FROM main.audit_events)`);
      for (const sql of Object.values(lostRights)) state.exec(sql);
      state.exec(`INSERT INTO main.audit_events SELECT * FROM temp.since; DROP TABLE temp.since;`);
    })();
  } finally {
    state.exec('DETACH live');
  }
}

/**
 * Switches off what a state from elsewhere would do by itself, at addresses and in folders that its maker chose: pushes to other registries
 * and scheduled backups.
 */
export function disarm(state: Sqlite): void {
  state.exec(`UPDATE main.upstreams SET auto_push = 0;
    UPDATE main.outbox_runs SET running = 0;
    DELETE FROM main.meta WHERE key LIKE 'backup.%'`);
}

/** A user or project that is made later never gets the number of one that the state leaves out: that one's rights and addresses. */
const numbersGivenOnce = `UPDATE main.sqlite_sequence SET seq = max(seq, coalesce(
    (SELECT l.seq FROM live.sqlite_sequence l WHERE l.name = sqlite_sequence.name), 0));
  INSERT INTO main.sqlite_sequence (name, seq) SELECT l.name, l.seq FROM live.sqlite_sequence l
    WHERE l.name NOT IN (SELECT name FROM main.sqlite_sequence)
      AND l.name IN (SELECT name FROM main.sqlite_schema WHERE type = 'table')`;

/** Whether the audit trail of the present goes on from that of the state. */
function isEarlierState(state: Sqlite): boolean {
  const found = state
    .prepare<[], number>(
      `SELECT EXISTS (SELECT 1 FROM live.audit_events l JOIN main.audit_events s ON l.id = s.id AND l.at = s.at AND l.action = s.action
         WHERE s.id = (SELECT max(id) FROM main.audit_events))`,
    )
    .pluck()
    .get();
  return found === 1;
}

const containers = [
  { kind: 'project', table: 'projects', column: 'project_id', shares: 'project_shares', shared: 'project_id' },
  { kind: 'group', table: 'namespaces', column: 'group_id', shares: 'group_shares', shared: 'shared_group_id' },
] as const;

/** SQL for each kind of container. */
function forContainers(sql: (of: (typeof containers)[number]) => string): string {
  return containers.map(sql).join(';');
}

/** Whose rule it is, for a protection `p` of the state and `l` of the present. */
const sameProtection = 'l.project_id IS p.project_id AND l.group_id IS p.group_id AND l.name = p.name';
const protectionChanged = `EXISTS (SELECT 1 FROM since e WHERE e.target_type = 'protected_environment'
  AND e.target_name = p.name AND e.project_id IS p.project_id AND e.group_id IS p.group_id)`;
const sameTarget =
  'r.access_level IS s.access_level AND r.user_id IS s.user_id AND r.group_id IS s.group_id AND r.group_inheritance_type = s.group_inheritance_type';
const refersToState = `(r.user_id IS NULL OR r.user_id IN (SELECT id FROM main.users))
  AND (r.group_id IS NULL OR r.group_id IN (SELECT id FROM main.namespaces))`;

const guardChanged = `EXISTS (SELECT 1 FROM since e WHERE e.target_type = 'tag_guard'
  AND e.target_name = tag_guards.pattern AND e.project_id = tag_guards.project_id)`;

/** Takes a setting from the present if it was changed since. */
function settingOfNow(key: string, action: string): string {
  return `INSERT OR REPLACE INTO main.meta SELECT * FROM live.meta
    WHERE key = '${key}' AND EXISTS (SELECT 1 FROM since WHERE action = '${action}')`;
}

/** Deletes what a group that was deleted since, or one below it, got elsewhere. */
function ofDeletedGroups(table: string): string {
  return `WITH RECURSIVE gone (id) AS (
      SELECT target_id FROM since WHERE action = 'group.deleted'
      UNION SELECT n.id FROM main.namespaces n JOIN gone ON n.parent_id = gone.id)
    DELETE FROM main.${table} WHERE group_id IN (SELECT id FROM gone)`;
}

/**
 * What takes rights away from the state, one entry for each way to lose them. Only what the audit trail says was changed since (`since`)
 * is compared: what is missing now because an earlier rewind left it out comes back.
 */
const lostRights = {
  deletedUsers: `DELETE FROM main.users WHERE id NOT IN (SELECT id FROM live.users)
    AND id IN (SELECT target_id FROM since WHERE action = 'user.deleted')`,
  users: `UPDATE main.users SET
      password_hash = l.password_hash,
      state = CASE l.state WHEN 'blocked' THEN 'blocked' ELSE users.state END,
      is_admin = min(users.is_admin, l.is_admin),
      external = max(users.external, l.external),
      updated_at = max(users.updated_at, l.updated_at)
    FROM live.users l WHERE l.id = users.id AND l.created_at = users.created_at AND users.id IN (SELECT target_id FROM since WHERE action LIKE 'user.%')`,
  tokens: `UPDATE main.access_tokens SET revoked_at = coalesce(
      (SELECT l.revoked_at FROM live.access_tokens l WHERE l.id = access_tokens.id), unixepoch() * 1000)
    WHERE revoked_at IS NULL
      AND id NOT IN (SELECT l.id FROM live.access_tokens l WHERE l.token_sha256 = access_tokens.token_sha256 AND l.revoked_at IS NULL);
    UPDATE main.access_tokens SET expires_on = coalesce(min(access_tokens.expires_on, l.expires_on), access_tokens.expires_on, l.expires_on)
    FROM live.access_tokens l WHERE l.token_sha256 = access_tokens.token_sha256`,
  memberships: forContainers(({ kind, table, column }) => {
    const changed = `${column} IN (SELECT id FROM live.${table}) AND EXISTS (SELECT 1 FROM since e
      WHERE e.action LIKE 'member.%' AND e.${column} = ${kind}_members.${column} AND e.target_id = ${kind}_members.user_id)`;
    return `DELETE FROM main.${kind}_members WHERE ${changed} AND NOT EXISTS (SELECT 1 FROM live.${kind}_members l
        WHERE l.${column} = ${kind}_members.${column} AND l.user_id = ${kind}_members.user_id);
      UPDATE main.${kind}_members SET access_level = min(${kind}_members.access_level, l.access_level),
        expires_on = coalesce(min(${kind}_members.expires_on, l.expires_on), ${kind}_members.expires_on, l.expires_on)
      FROM live.${kind}_members l
      WHERE l.${column} = ${kind}_members.${column} AND l.user_id = ${kind}_members.user_id
        AND ${changed.replace(column, `${kind}_members.${column}`)}`;
  }),
  shares: forContainers(({ column, table, shares, shared }) => {
    const changed = `${shares}.${shared} IN (SELECT id FROM live.${table}) AND EXISTS (SELECT 1 FROM since e
      WHERE e.action LIKE 'share.%' AND e.${column} = ${shares}.${shared})`;
    const same = `l.${shared} = ${shares}.${shared} AND l.group_id = ${shares}.group_id`;
    return `DELETE FROM main.${shares} WHERE ${changed} AND NOT EXISTS (SELECT 1 FROM live.${shares} l WHERE ${same});
      UPDATE main.${shares} SET group_access = min(${shares}.group_access, l.group_access),
        expires_on = coalesce(min(${shares}.expires_on, l.expires_on), ${shares}.expires_on, l.expires_on)
      FROM live.${shares} l WHERE ${same} AND ${changed};
      ${ofDeletedGroups(shares)}`;
  }),
  visibility: forContainers(({ kind, table, column }) => {
    const rank = (visibility: string): string => `instr('private internal public', ${visibility})`;
    return `UPDATE main.${table} SET visibility = l.visibility FROM live.${table} l
      WHERE l.id = ${table}.id AND ${rank('l.visibility')} < ${rank(`${table}.visibility`)}
        AND EXISTS (SELECT 1 FROM since e WHERE e.action LIKE '${kind}.%' AND e.${column} = ${table}.id);
      UPDATE main.${table} SET visibility = 'private'
      WHERE id NOT IN (SELECT id FROM live.${table}) AND EXISTS (SELECT 1 FROM since WHERE action IN ('project.deleted', 'group.deleted'))`;
  }),
  protections: `INSERT INTO main.protected_environments (project_id, group_id, name, created_at, updated_at)
      SELECT p.project_id, p.group_id, p.name, p.created_at, p.updated_at FROM live.protected_environments p
      WHERE ${protectionChanged} AND NOT EXISTS (SELECT 1 FROM main.protected_environments l WHERE ${sameProtection})
        AND (p.project_id IN (SELECT id FROM main.projects) OR p.group_id IN (SELECT id FROM main.namespaces));
    INSERT INTO main.deploy_access_levels (protected_environment_id, access_level, user_id, group_id, group_inheritance_type)
      SELECT p.id, r.access_level, r.user_id, r.group_id, r.group_inheritance_type
      FROM main.protected_environments p JOIN live.protected_environments l ON ${sameProtection}
      JOIN live.deploy_access_levels r ON r.protected_environment_id = l.id
      WHERE p.created_at = l.created_at AND ${protectionChanged} AND ${refersToState}
        AND NOT EXISTS (SELECT 1 FROM main.deploy_access_levels d WHERE d.protected_environment_id = p.id);
    DELETE FROM main.deploy_access_levels WHERE id IN (
      SELECT s.id FROM main.deploy_access_levels s JOIN main.protected_environments p ON p.id = s.protected_environment_id
      JOIN live.protected_environments l ON ${sameProtection} WHERE ${protectionChanged}
        AND NOT EXISTS (SELECT 1 FROM live.deploy_access_levels r WHERE r.protected_environment_id = l.id AND ${sameTarget}))`,
  approvals: `UPDATE main.approval_rules AS s SET required_approvals = max(s.required_approvals, r.required_approvals)
      FROM main.protected_environments p, live.protected_environments l, live.approval_rules r
      WHERE p.id = s.protected_environment_id AND ${sameProtection} AND r.protected_environment_id = l.id AND ${sameTarget}
        AND ${protectionChanged};
    INSERT INTO main.approval_rules
        (protected_environment_id, access_level, user_id, group_id, group_inheritance_type, required_approvals)
      SELECT p.id, r.access_level, r.user_id, r.group_id, r.group_inheritance_type, r.required_approvals
      FROM main.protected_environments p JOIN live.protected_environments l ON ${sameProtection}
      JOIN live.approval_rules r ON r.protected_environment_id = l.id
      WHERE ${protectionChanged} AND ${refersToState} AND NOT EXISTS (SELECT 1 FROM main.approval_rules s
        WHERE s.protected_environment_id = p.id AND ${sameTarget})`,
  // Guards that were set since are those of now. One that was removed comes back, unless a wider one of now may be the stricter.
  guards: `DELETE FROM main.tag_guards WHERE ${guardChanged}
      AND (EXISTS (SELECT 1 FROM live.tag_guards l WHERE l.project_id = tag_guards.project_id AND l.pattern = tag_guards.pattern)
        OR EXISTS (SELECT 1 FROM live.tag_guards l WHERE l.project_id = tag_guards.project_id AND instr(l.pattern, '*') > 0));
    INSERT INTO main.tag_guards (project_id, pattern, environment, allow_self_approval, deployers_wait, created_at, updated_at)
      SELECT project_id, pattern, environment, allow_self_approval, deployers_wait, created_at, updated_at FROM live.tag_guards
      WHERE ${guardChanged} AND project_id IN (SELECT id FROM main.projects);
    INSERT OR REPLACE INTO main.guard_settings SELECT l.* FROM live.guard_settings l
      WHERE l.project_id IN (SELECT id FROM main.projects)
        AND l.project_id IN (SELECT project_id FROM since WHERE action = 'guard.settings_changed')`,
  // What was approved then and rejected since would wait again with those approvals.
  approvalsGiven: 'DELETE FROM main.approvals WHERE id NOT IN (SELECT id FROM live.approvals)',
  // A token is never sent to another address than the one that it was set for.
  upstreams: `UPDATE main.upstreams SET enabled = min(upstreams.enabled, l.enabled), auto_push = min(upstreams.auto_push, l.auto_push),
      push_selection = l.push_selection, push_from = l.push_from,
      token = CASE WHEN l.url = upstreams.url AND l.push_url IS upstreams.push_url THEN l.token END
    FROM live.upstreams l WHERE l.id = upstreams.id AND l.id IN (SELECT target_id FROM since WHERE action LIKE 'upstream.%');
    UPDATE main.upstreams SET enabled = 0, auto_push = 0, token = NULL WHERE id NOT IN (SELECT id FROM live.upstreams)
      AND id IN (SELECT target_id FROM since WHERE target_type = 'upstream');
    UPDATE main.outbox_runs SET running = 0;
    ${settingOfNow('upstream.offlineMode', 'offline.changed')}`,
  claims: `DELETE FROM main.name_claims WHERE name IN (SELECT target_name FROM since WHERE target_type = 'claim');
    INSERT INTO main.name_claims (name, namespace_id, created_at, created_by)
      SELECT l.name, (SELECT n.id FROM main.namespaces n WHERE n.id = l.namespace_id), l.created_at, l.created_by
      FROM live.name_claims l WHERE l.name IN (SELECT target_name FROM since WHERE target_type = 'claim')`,
  // Not those of both: where no key is trusted, bundles of every key are imported.
  trustedKeys: settingOfNow('bundles.trustedKeys', 'bundles.keys_trusted'),
} as const;
