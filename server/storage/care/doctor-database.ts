import { nextTurn } from '../../lib/turns.ts';
import type { Examination } from './examination.ts';

/** Complaints of SQLite about an index, which can be rebuilt from its table. */
const aboutIndex = /^(?:row \d+ missing from index|wrong # of entries in index|non-unique entry in index)/i;
const mostComplaints = 20;

/** Checks pages, indexes and foreign keys of the database. Returns whether its rows can be trusted. */
export async function checkDatabase(examination: Examination): Promise<boolean> {
  const { sqlite, unitOfWork } = examination.deps;
  examination.onProgress('Checking the database', 0, 0);
  const complaints = await complaintsOf(examination);
  const isIndexOnly = complaints.length > 0 && complaints.every((complaint) => aboutIndex.test(complaint));
  let isSound = complaints.length === 0 || isIndexOnly;
  for (const complaint of complaints) {
    const fix = async (): Promise<'fixed' | 'impossible'> => {
      await unitOfWork.write(() => sqlite.exec('REINDEX'));
      return (await complaintsOf(examination)).length === 0 ? 'fixed' : 'impossible';
    };
    await examination.error(
      'database',
      'gatehouse.db',
      isIndexOnly
        ? `An index of the database is wrong: ${complaint}.`
        : `The database is damaged: ${complaint}. Restore a backup, or go back to a snapshot.`,
      isIndexOnly ? fix : undefined,
    );
  }
  if (!isSound) return false;
  const dangling = sqlite.pragma('foreign_key_check') as { table: string; rowid: number | null; parent: string }[];
  for (const { table, rowid, parent } of dangling.slice(0, mostComplaints)) {
    isSound = false;
    await examination.error(
      'database',
      table,
      `A row of "${table}"${rowid === null ? '' : ` (${rowid})`} refers to one of "${parent}" that is not there. Restore a backup, or go back to a snapshot.`,
    );
  }
  return isSound;
}

/** Complaints of SQLite, table by table so that other work can run in between. */
async function complaintsOf({ deps, signal }: Examination): Promise<string[]> {
  const { sqlite } = deps;
  const complaints = new Set<string>();
  try {
    const tables = sqlite
      .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0`)
      .pluck()
      .all();
    for (const table of ['sqlite_schema', ...tables]) {
      signal.throwIfAborted();
      const rows = sqlite.pragma(`integrity_check("${table}")`) as { integrity_check: string }[];
      for (const row of rows) if (row.integrity_check !== 'ok') complaints.add(row.integrity_check);
      await nextTurn();
    }
    // Pages that belong to no table show only in a check of the whole.
    if (complaints.size === 0) {
      const [whole] = sqlite.pragma('quick_check(1)') as { quick_check: string }[];
      if (whole && whole.quick_check !== 'ok') complaints.add(whole.quick_check);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    complaints.add(error instanceof Error ? error.message : String(error));
  }
  return [...complaints].slice(0, mostComplaints);
}
