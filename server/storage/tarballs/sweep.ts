import type { UnitOfWork } from '../../accounts/change.ts';
import { nextTurn } from '../../lib/turns.ts';
import type { TarballCollector } from '../../registry/publish/tarball-collector.ts';
import type { TarballReferences } from './tarball-references.ts';
import type { DiskTarballStore } from './tarball-store.ts';

const filesPerStep = 50;
const rowsPerWrite = 500;

/** Milliseconds by which the times of a file system may be behind the clock. */
const timeGranularity = 2000;

export interface SweepParts {
  readonly tarballs: Pick<DiskTarballStore, 'list' | 'writtenAt'>;
  readonly collector: Pick<TarballCollector, 'deleteUnused'>;
  readonly references: Pick<TarballReferences, 'hasRow' | 'deleteUnusedRows'>;
  readonly unitOfWork: UnitOfWork;
}

/** Origins of tarballs besides the rows of the database. */
interface KnownOrigins {
  /** For instance those of a snapshot that was deleted. */
  readonly contents: ReadonlySet<string>;
  /** Since when crashed processes may have left files; null if none crashed. */
  readonly crashedSince: number | null;
}

/**
 * Deletes tarballs that nothing refers to, and their rows, while the server serves: the collector knows the uploads under way. Only those
 * whose origin is known: the database has a row of them, or a process that crashed wrote them. Others may belong to a database that was
 * here before; doctor reports them. Ends early when `signal` is aborted.
 */
export async function sweepOrphans(
  parts: SweepParts,
  { contents, crashedSince }: KnownOrigins,
  signal: AbortSignal,
): Promise<void> {
  const { tarballs, collector, references, unitOfWork } = parts;
  const isOfCrash = (sha512: string): boolean =>
    crashedSince !== null && (tarballs.writtenAt(sha512) ?? 0) >= crashedSince - timeGranularity;
  let inThisStep = 0;
  for await (const sha512 of tarballs.list()) {
    if (signal.aborted) return;
    if (contents.has(sha512) || references.hasRow(sha512) || isOfCrash(sha512)) collector.deleteUnused([sha512]);
    inThisStep += 1;
    if (inThisStep < filesPerStep) continue;
    inThisStep = 0;
    await nextTurn();
  }
  while (!signal.aborted) {
    const deleted = await unitOfWork.write(() => references.deleteUnusedRows(rowsPerWrite));
    if (deleted < rowsPerWrite) return;
  }
}
