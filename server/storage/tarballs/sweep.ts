import type { UnitOfWork } from '../../accounts/change.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import type { TarballCollector } from '../../registry/publish/tarball-collector.ts';
import type { TarballStore } from '../../registry/publish/tarball-store.ts';
import type { TarballReferences } from './tarball-references.ts';

const perTurn = 50;
const rowsPerWrite = 500;

export interface SweepParts {
  readonly tarballs: Pick<TarballStore, 'list'>;
  readonly collector: Pick<TarballCollector, 'isReferenced' | 'deleteUnused'>;
  readonly references: Pick<TarballReferences, 'deleteUnusedRows'>;
  readonly unitOfWork: UnitOfWork;
}

/**
 * Takes away tarballs that a crash left without a version, and their rows. Runs beside the traffic: whether a content may go is asked
 * and answered in one turn by the collector, which knows the uploads under way. Ends early when `signal` says so.
 */
export async function sweepOrphans(parts: SweepParts, signal: AbortSignal): Promise<void> {
  let inThisTurn = 0;
  for await (const sha512 of parts.tarballs.list()) {
    if (signal.aborted) return;
    if (!parts.collector.isReferenced(sha512)) parts.collector.deleteUnused([sha512]);
    inThisTurn += 1;
    if (inThisTurn < perTurn) continue;
    inThisTurn = 0;
    await nextTurn();
  }
  while (!signal.aborted) {
    const deleted = await parts.unitOfWork.write(() => parts.references.deleteUnusedRows(rowsPerWrite));
    if (deleted < rowsPerWrite) return;
  }
}
