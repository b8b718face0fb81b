import { nextTurn } from '../../lib/turns.ts';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import type { Examination } from './examination.ts';
import { digest } from './doctor-files.ts';

/** Checks that each snapshot could be restored: its database is sound and its tarballs exist. */
export async function checkSnapshots(examination: Examination): Promise<void> {
  const { deps, checked } = examination;
  const seen = new Map<string, boolean>();
  for (const name of deps.snapshots.names()) {
    // Dropped meanwhile.
    if (!deps.snapshots.names().includes(name)) continue;
    examination.onProgress('Checking snapshots', checked.snapshots, 0);
    checked.snapshots += 1;
    const complaint = soundness(join(deps.folder.path, 'snapshots', name, 'gatehouse.db'));
    if (complaint !== undefined) {
      await examination.error('snapshot', name, `The snapshot "${name}" is damaged: ${complaint}.`, async () => {
        const target = join(examination.quarantine(), `snapshot-${name}`);
        deps.snapshots.close();
        renameSync(join(deps.folder.path, 'snapshots', name), target);
        return 'quarantined';
      });
      continue;
    }
    let lost = 0;
    for (const sha512 of deps.snapshots.contentsOf(name)) {
      examination.signal.throwIfAborted();
      // Tarballs of the present state were compared already.
      const file = deps.tarballs.pathOf(sha512);
      let isWhole = seen.get(sha512);
      if (isWhole === undefined) {
        isWhole = deps.references.isUsed(sha512) ? existsSync(file) : (await digest(file))?.sha512 === sha512;
        seen.set(sha512, isWhole);
        await nextTurn();
      }
      if (!isWhole) lost += 1;
    }
    if (lost === 0) continue;
    await examination.error(
      'snapshot',
      name,
      `The snapshot "${name}" has lost ${lost} of its tarballs; going back to it would leave versions without bytes. Drop it.`,
    );
  }
}

function soundness(file: string): string | undefined {
  try {
    const sqlite = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
    try {
      const [first] = sqlite.pragma('quick_check(1)') as { quick_check: string }[];
      return first?.quick_check === 'ok' ? undefined : (first?.quick_check ?? 'it cannot be checked');
    } finally {
      sqlite.close();
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
