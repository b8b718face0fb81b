import type { OutboxChange, OutboxItem, OutboxRun, OutboxStore } from '../../../upstream/outbox/outbox-store.ts';
import type { Sqlite } from '../sqlite.ts';

type RawItem = Omit<OutboxItem, 'forced' | 'sent'> & { readonly forced: number; readonly sent: number };
type RawRun = Omit<OutboxRun, 'running' | 'changes'> & { readonly running: number; readonly changes: string };

const changeColumns = 'c.id, c.at, c.kind, c.project_id AS projectId, c.name, c.version, c.tag, c.value';
const itemColumns =
  'upstream_id AS upstreamId, change_id AS changeId, state, forced, sent, attempts, error, here, there, updated_at AS updatedAt';
const runColumns = 'upstream_id AS upstreamId, running, started_at AS startedAt, changes';

/** The journal of changes and how far they were carried, in SQLite. */
export function sqliteOutbox(sqlite: Sqlite): OutboxStore {
  const statements = prepareStatements(sqlite);
  return {
    append: ({ at, kind, projectId, name, version, tag, value }) =>
      void statements.append.run(at, kind, projectId, name, version, tag, value),
    change: (id) => statements.change.get(id),
    laterOf: ({ id, projectId, name }) => statements.laterOf.all(projectId, name, id),
    pending: (upstreamId) => statements.pending.all(upstreamId),
    lastIntegrity: (projectId, name, version) => statements.lastIntegrity.get(projectId, name, version),
    hasArrived: (upstreamId, { projectId, name, version }) =>
      statements.hasArrived.get(upstreamId, projectId, name, version) !== undefined,
    arrivedWith: (integrity) => statements.arrivedWith.all(integrity),
    wasSent: (upstreamId, { id, projectId, name, version }) =>
      statements.lastSent.get(upstreamId, projectId, name, version, id) === 1,
    item: (upstreamId, changeId) => {
      const raw = statements.item.get(upstreamId, changeId);
      return raw && readItem(raw);
    },
    openItems: (upstreamId) =>
      new Map(statements.openItems.all(upstreamId).map((raw) => [raw.changeId, readItem(raw)])),
    putItem: (item, now) => {
      const { upstreamId, changeId, state, forced, sent, attempts, error, here, there } = item;
      const flags = [forced ? 1 : 0, sent ? 1 : 0];
      statements.putItem.run(upstreamId, changeId, state, ...flags, attempts, error, here, there, now);
    },
    run: (upstreamId) => {
      const raw = statements.run.get(upstreamId);
      return raw && readRun(raw);
    },
    activeRuns: () => statements.activeRuns.all().map(readRun),
    putRun: ({ upstreamId, running, startedAt, changes }) =>
      void statements.putRun.run(upstreamId, running ? 1 : 0, startedAt, JSON.stringify(changes)),
  };
}

function prepareStatements(sqlite: Sqlite) {
  return {
    append: sqlite.prepare<[number, string, number, string, string | null, string | null, string | null]>(
      'INSERT INTO outbox_changes (at, kind, project_id, name, version, tag, value) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    change: sqlite.prepare<[number], OutboxChange>(`SELECT ${changeColumns} FROM outbox_changes c WHERE c.id = ?`),
    laterOf: sqlite.prepare<[number, string, number], OutboxChange>(
      `SELECT ${changeColumns} FROM outbox_changes c WHERE c.project_id = ? AND c.name = ? AND c.id > ? ORDER BY c.id`,
    ),
    pending: sqlite.prepare<[number], OutboxChange>(
      `SELECT ${changeColumns} FROM outbox_changes c
         LEFT JOIN outbox_items i ON i.upstream_id = ? AND i.change_id = c.id
       WHERE i.state IS NULL OR i.state NOT IN ('done', 'skipped') ORDER BY c.id`,
    ),
    lastIntegrity: sqlite
      .prepare<[number, string, string], string>(
        `SELECT value FROM outbox_changes WHERE project_id = ? AND name = ? AND version = ? AND kind = 'publish'
          ORDER BY id DESC LIMIT 1`,
      )
      .pluck(),
    hasArrived: sqlite
      .prepare<[number, number, string, string | null], 1>(
        `SELECT 1 FROM outbox_items i JOIN outbox_changes c ON c.id = i.change_id
          WHERE i.upstream_id = ? AND c.kind = 'publish' AND c.project_id = ? AND c.name = ? AND c.version = ?
            AND i.state = 'done' AND i.sent = 1 LIMIT 1`,
      )
      .pluck(),
    arrivedWith: sqlite.prepare<[string], { upstreamId: number; name: string; version: string }>(
      `SELECT i.upstream_id AS upstreamId, c.name, c.version FROM outbox_changes c JOIN outbox_items i ON i.change_id = c.id
        WHERE c.kind = 'publish' AND c.value = ? AND i.state = 'done' ORDER BY c.id DESC`,
    ),
    lastSent: sqlite
      .prepare<[number, number, string, string | null, number], number | null>(
        `SELECT i.sent FROM outbox_changes c LEFT JOIN outbox_items i ON i.change_id = c.id AND i.upstream_id = ?
          WHERE c.kind = 'publish' AND c.project_id = ? AND c.name = ? AND c.version = ? AND c.id < ?
          ORDER BY c.id DESC LIMIT 1`,
      )
      .pluck(),
    item: sqlite.prepare<[number, number], RawItem>(
      `SELECT ${itemColumns} FROM outbox_items WHERE upstream_id = ? AND change_id = ?`,
    ),
    openItems: sqlite.prepare<[number], RawItem>(
      `SELECT ${itemColumns} FROM outbox_items WHERE upstream_id = ? AND state NOT IN ('done', 'skipped')`,
    ),
    putItem: sqlite.prepare<(string | number | null)[]>(
      `INSERT INTO outbox_items (upstream_id, change_id, state, forced, sent, attempts, error, here, there, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (upstream_id, change_id) DO UPDATE SET state = excluded.state, forced = excluded.forced, sent = excluded.sent,
         attempts = excluded.attempts, error = excluded.error, here = excluded.here, there = excluded.there,
         updated_at = excluded.updated_at`,
    ),
    run: sqlite.prepare<[number], RawRun>(`SELECT ${runColumns} FROM outbox_runs WHERE upstream_id = ?`),
    activeRuns: sqlite.prepare<[], RawRun>(`SELECT ${runColumns} FROM outbox_runs WHERE running = 1`),
    putRun: sqlite.prepare<[number, number, number, string]>(
      `INSERT INTO outbox_runs (upstream_id, running, started_at, changes) VALUES (?, ?, ?, ?)
       ON CONFLICT (upstream_id) DO UPDATE SET running = excluded.running, started_at = excluded.started_at,
         changes = excluded.changes`,
    ),
  };
}

function readItem(raw: RawItem): OutboxItem {
  return { ...raw, forced: raw.forced === 1, sent: raw.sent === 1 };
}

function readRun(raw: RawRun): OutboxRun {
  return { ...raw, running: raw.running === 1, changes: JSON.parse(raw.changes) as number[] };
}
