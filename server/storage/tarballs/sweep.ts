import type { UnitOfWork } from '../../accounts/change.ts';
import { nextTurn } from '../../lib/timers.ts';
import type { TarballCollector } from '../../registry/publish/tarball-collector.ts';
import type { TarballStore } from '../../registry/publish/tarball-store.ts';
import type { TarballReferences } from './tarball-references.ts';

const filesPerStep = 50;
const rowsPerWrite = 500;

export interface SweepParts {
  readonly tarballs: Pick<TarballStore, 'list'>;
  readonly collector: Pick<TarballCollector, 'deleteUnused'>;
  readonly references: Pick<TarballReferences, 'deleteUnusedRows'>;
  readonly unitOfWork: UnitOfWork;
}

/**
 * Deletes tarballs that a crash left without a version, and their rows, while the server serves: the collector knows the uploads under way.
 * Ends early when `signal` is aborted.
 */
export async function sweepOrphans(parts: SweepParts, signal: AbortSignal): Promise<void> {
  let inThisStep = 0;
  for await (const sha512 of parts.tarballs.list()) {
    if (signal.aborted) return;
    parts.collector.deleteUnused([sha512]);
    inThisStep += 1;
    if (inThisStep < filesPerStep) continue;
    inThisStep = 0;
    await nextTurn();
  }
  while (!signal.aborted) {
    const deleted = await parts.unitOfWork.write(() => parts.references.deleteUnusedRows(rowsPerWrite));
    if (deleted < rowsPerWrite) return;
  }
}
