import { nextTurn } from '../../lib/next-turn.ts';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import type { Examination } from './doctor.ts';
import { digest } from './doctor-files.ts';

/** Whether each snapshot could be gone back to: its database is sound and its tarballs are there. */
export async function checkSnapshots(examination: Examination): Promise<void> {
  const { patient, checked } = examination;
  const seen = new Map<string, boolean>();
  for (const name of patient.snapshots.names()) {
    examination.onProgress('Checking snapshots', checked.snapshots, 0);
    checked.snapshots += 1;
    const complaint = soundness(join(patient.folder.path, 'snapshots', name, 'gatehouse.db'));
    if (complaint !== undefined) {
      await examination.found(
        {
          kind: 'snapshot',
          severity: 'error',
          subject: name,
          text: `The snapshot "${name}" is damaged: ${complaint}.`,
        },
        async () => {
          const target = join(examination.quarantine(), `snapshot-${name}`);
          patient.snapshots.close();
          renameSync(join(patient.folder.path, 'snapshots', name), target);
          return 'quarantined';
        },
      );
      continue;
    }
    let lost = 0;
    for (const sha512 of patient.snapshots.contentsOf(name)) {
      examination.signal.throwIfAborted();
      // Those of the present state were compared already; here it only counts whether they are still there.
      const file = patient.tarballs.pathOf(sha512);
      let isWhole = seen.get(sha512);
      if (isWhole === undefined) {
        isWhole = patient.references.isUsed(sha512) ? existsSync(file) : (await digest(file))?.sha512 === sha512;
        seen.set(sha512, isWhole);
        await nextTurn();
      }
      if (!isWhole) lost += 1;
    }
    if (lost === 0) continue;
    await examination.found({
      kind: 'snapshot',
      severity: 'error',
      subject: name,
      text: `The snapshot "${name}" has lost ${lost} of its tarballs; going back to it would leave versions without bytes. Drop it.`,
    });
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
