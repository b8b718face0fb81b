import type { OutboxChange, OutboxItem, OutboxRun, OutboxStore } from '../../../upstream/outbox/outbox-store.ts';
import type { Sqlite } from '../sqlite.ts';

type RawItem = Omit<OutboxItem, 'forced'> & { readonly forced: number };
type RawRun = Omit<OutboxRun, 'running' | 'changes'> & { readonly running: number; readonly changes: string };

const changeColumns = 'c.id, c.at, c.kind, c.project_id AS projectId, c.name, c.version, c.tag, c.value';
const runColumns = 'upstream_id AS upstreamId, running, started_at AS startedAt, changes';

/** The journal of changes and how far they were carried, in SQLite. */
export class SqliteOutboxStore implements OutboxStore {
  readonly #append;
  readonly #change;
  readonly #pending;
  readonly #lastIntegrity;
  readonly #versionsEver;
  readonly #wasPushed;
  readonly #item;
  readonly #putItem;
  readonly #run;
  readonly #activeRuns;
  readonly #putRun;

  constructor(sqlite: Sqlite) {
    this.#append = sqlite.prepare<[number, string, number, string, string | null, string | null, string | null]>(
      'INSERT INTO outbox_changes (at, kind, project_id, name, version, tag, value) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#change = sqlite.prepare<[number], OutboxChange>(
      `SELECT ${changeColumns} FROM outbox_changes c WHERE c.id = ?`,
    );
    this.#pending = sqlite.prepare<[number], OutboxChange>(
      `SELECT ${changeColumns} FROM outbox_changes c
         LEFT JOIN outbox_items i ON i.upstream_id = ? AND i.change_id = c.id
       WHERE i.state IS NULL OR i.state NOT IN ('done', 'skipped') ORDER BY c.id`,
    );
    this.#lastIntegrity = sqlite
      .prepare<[string, string], string>(
        `SELECT value FROM outbox_changes WHERE name = ? AND version = ? AND kind = 'publish' ORDER BY id DESC LIMIT 1`,
      )
      .pluck();
    this.#versionsEver = sqlite
      .prepare<[string], string>(`SELECT DISTINCT version FROM outbox_changes WHERE name = ? AND kind = 'publish'`)
      .pluck();
    this.#wasPushed = sqlite
      .prepare<[number, string, string], 1>(
        `SELECT 1 FROM outbox_items i JOIN outbox_changes c ON c.id = i.change_id
          WHERE i.upstream_id = ? AND i.state = 'done' AND c.kind = 'publish' AND c.name = ? AND c.version = ? LIMIT 1`,
      )
      .pluck();
    this.#item = sqlite.prepare<[number, number], RawItem>(
      `SELECT upstream_id AS upstreamId, change_id AS changeId, state, forced, attempts, error, here, there
         FROM outbox_items WHERE upstream_id = ? AND change_id = ?`,
    );
    this.#putItem = sqlite.prepare<(string | number | null)[]>(
      `INSERT INTO outbox_items (upstream_id, change_id, state, forced, attempts, error, here, there, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (upstream_id, change_id) DO UPDATE SET state = excluded.state, forced = excluded.forced,
         attempts = excluded.attempts, error = excluded.error, here = excluded.here, there = excluded.there,
         updated_at = excluded.updated_at`,
    );
    this.#run = sqlite.prepare<[number], RawRun>(`SELECT ${runColumns} FROM outbox_runs WHERE upstream_id = ?`);
    this.#activeRuns = sqlite.prepare<[], RawRun>(`SELECT ${runColumns} FROM outbox_runs WHERE running = 1`);
    this.#putRun = sqlite.prepare<[number, number, number, string]>(
      `INSERT INTO outbox_runs (upstream_id, running, started_at, changes) VALUES (?, ?, ?, ?)
       ON CONFLICT (upstream_id) DO UPDATE SET running = excluded.running, started_at = excluded.started_at,
         changes = excluded.changes`,
    );
  }

  append({ at, kind, projectId, name, version, tag, value }: Omit<OutboxChange, 'id'>): void {
    this.#append.run(at, kind, projectId, name, version, tag, value);
  }

  change(id: number): OutboxChange | undefined {
    return this.#change.get(id);
  }

  pending(upstreamId: number): OutboxChange[] {
    return this.#pending.all(upstreamId);
  }

  lastIntegrity(name: string, version: string): string | undefined {
    return this.#lastIntegrity.get(name, version);
  }

  versionsEver(name: string): string[] {
    return this.#versionsEver.all(name);
  }

  wasPushed(upstreamId: number, name: string, version: string): boolean {
    return this.#wasPushed.get(upstreamId, name, version) !== undefined;
  }

  item(upstreamId: number, changeId: number): OutboxItem | undefined {
    const raw = this.#item.get(upstreamId, changeId);
    return raw && { ...raw, forced: raw.forced === 1 };
  }

  putItem(item: OutboxItem, now: number): void {
    const { upstreamId, changeId, state, forced, attempts, error, here, there } = item;
    this.#putItem.run(upstreamId, changeId, state, forced ? 1 : 0, attempts, error, here, there, now);
  }

  run(upstreamId: number): OutboxRun | undefined {
    const raw = this.#run.get(upstreamId);
    return raw && readRun(raw);
  }

  activeRuns(): OutboxRun[] {
    return this.#activeRuns.all().map(readRun);
  }

  putRun({ upstreamId, running, startedAt, changes }: OutboxRun): void {
    this.#putRun.run(upstreamId, running ? 1 : 0, startedAt, JSON.stringify(changes));
  }
}

function readRun(raw: RawRun): OutboxRun {
  return { ...raw, running: raw.running === 1, changes: JSON.parse(raw.changes) as number[] };
}
