import { rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { GatehouseError } from '../../contract/errors.ts';
import type { EventPayload } from '../../contract/events.ts';
import type { Job, Snapshot } from '../../contract/maintenance.ts';
import type { Actor } from '../../accounts/change.ts';
import { writeBackup } from './backup.ts';
import type { OnProgress } from './backup.ts';
import { Schedule } from './backup-schedule.ts';
import { examine } from './doctor.ts';
import type { Patient } from './doctor.ts';
import { JobList } from './job-list.ts';
import { unpackBackup } from './restore.ts';
import { prepareState, putInPlace } from './rewind.ts';
import { sweepOrphans } from '../tarballs/sweep.ts';
import type { MetaStore } from '../database/stores/meta-store.ts';
import type { WriteQueue } from '../database/write-queue.ts';

/** Name of the snapshot that every rewind makes first, as the way back. */
export const wayBack = 'before-rewind';

/** Milliseconds that a sweep gets to finish when the registry is closed. */
const sweepGrace = 1500;

export interface MaintenanceParts extends Omit<Patient, 'unitOfWork'> {
  readonly unitOfWork: WriteQueue;
  readonly meta: MetaStore;
  readonly gatehouse: string;
  /** Writes what is still in memory and belongs to the present state. */
  readonly flush: () => Promise<void>;
  /** Forgets everything that was read before another state took the place of the present one. */
  readonly forget: () => void;
  readonly announce: {
    progress(job: Job): void;
    changed(payload: EventPayload<'maintenance.changed'>): void;
    rewound(payload: EventPayload<'registry.rewound'>): void;
  };
}

/** Everything that is done with the store as a whole: checks, backups, snapshots, going back. One long work at a time. */
export class Maintenance {
  readonly jobs: JobList;
  readonly schedule: Schedule;
  readonly #parts: MaintenanceParts;
  readonly #closing = new AbortController();
  #sweep: Promise<void> = Promise.resolve();

  constructor(parts: MaintenanceParts) {
    this.#parts = parts;
    this.jobs = new JobList((job) => parts.announce.progress(job));
    this.schedule = new Schedule({
      read: () => parts.meta.get('backup.schedule'),
      write: async (text) => {
        await parts.unitOfWork.write(() => parts.meta.set('backup.schedule', text));
        parts.announce.changed({ subject: 'schedule' });
      },
      defaultFolder: join(parts.folder.path, 'backups'),
      backUp: async (file) => (await this.jobs.ended(this.backUp(file))).error,
    });
  }

  /** Begins what goes on beside the traffic: taking away what crashes left, backups by the clock. */
  begin(): void {
    this.#parts.snapshots.tidy();
    this.#sweepSoon();
    this.schedule.run();
  }

  /** Ends all of it; resolves when nothing touches the store any more. */
  async end(): Promise<void> {
    this.schedule.stop();
    await this.jobs.stop();
    await this.#letSweepFinish();
    this.#parts.snapshots.close();
  }

  /** Resolves when the sweep that began last is through. */
  swept(): Promise<void> {
    return this.#sweep;
  }

  examine(repair: boolean): number {
    return this.jobs.start('doctor', async (onProgress, signal) => {
      // What a crash left and the start is still sweeping is no finding.
      await this.#sweep;
      return { report: await examine(this.#parts, { repair, onProgress, signal }) };
    });
  }

  /** @throws GatehouseError `invalid_request` unless the path is absolute. */
  backUp(file: string): number {
    requireAbsolute(file);
    const { collector, announce } = this.#parts;
    return this.jobs.start('backup', async (onProgress, signal) => {
      const backup = await collector.pauseWhile(() => writeBackup(this.#source(), file, onProgress, signal));
      announce.changed({ subject: 'backups' });
      return { backup };
    });
  }

  /** Newest first. */
  snapshots(): Snapshot[] {
    return this.#parts.snapshots.list();
  }

  createSnapshot(name: string): number {
    return this.jobs.start('snapshot', async (onProgress) => {
      await this.#snapshot(name, false, onProgress);
      return undefined;
    });
  }

  /** @throws GatehouseError `not_found`. */
  async dropSnapshot(name: string): Promise<void> {
    await this.#parts.snapshots.drop(name);
    this.#parts.announce.changed({ subject: 'snapshots' });
    this.#sweepSoon();
  }

  /** Goes back to a snapshot while serving. @throws GatehouseError `not_found`. */
  rewind(name: string, actor: Actor): number {
    this.#parts.snapshots.fileOf(name);
    return this.jobs.start('rewind', async (onProgress) => {
      const { collector, snapshots } = this.#parts;
      await collector.pauseWhile(async () => {
        onProgress('Preparing the snapshot', 0, 0);
        await this.#replaceWith(
          { source: snapshots.fileOf(name), isEarlierState: true, actor, action: 'registry.rewound', name },
          onProgress,
        );
      });
      this.#sweepSoon();
      return undefined;
    });
  }

  /** Puts the state of a backup in the place of the present one. @throws GatehouseError `invalid_request` unless the path is absolute. */
  restore(file: string, actor: Actor): number {
    requireAbsolute(file);
    return this.jobs.start('restore', async (onProgress, signal) => {
      const { collector, tarballs, folder } = this.#parts;
      const unpacked = join(folder.temporary, `unpacked-${Date.now()}.db`);
      try {
        const backup = await collector.pauseWhile(async () => {
          const found = await unpackBackup(file, { tarballs, databaseFile: unpacked }, onProgress, signal);
          await this.#replaceWith(
            { source: unpacked, isEarlierState: false, actor, action: 'registry.restored', name: file },
            onProgress,
          );
          return found;
        });
        return { backup };
      } finally {
        rmSync(unpacked, { force: true });
        this.#sweepSoon();
      }
    });
  }

  /** No tarball may be removed meanwhile. */
  async #replaceWith(
    wanted: Pick<Parameters<typeof prepareState>[0], 'source' | 'isEarlierState' | 'actor' | 'action' | 'name'>,
    onProgress: OnProgress,
  ): Promise<void> {
    const { folder, sqlite, unitOfWork, snapshots, announce } = this.#parts;
    await this.#parts.flush();
    const fresh = `${wayBack}-${Date.now()}`;
    let isMade = false;
    try {
      await unitOfWork.runExclusive(async () => {
        // Nothing is written between the way back and the change, so going back takes no acknowledged write for good.
        await snapshots.create(fresh, true, onProgress);
        isMade = true;
        onProgress('Going back', 0, 0);
        const state = await prepareState({ ...wanted, folder, live: sqlite });
        try {
          await putInPlace(state, folder.databaseFile);
        } finally {
          state.discard();
        }
        this.#parts.forget();
      });
    } catch (error) {
      if (isMade) await snapshots.drop(fresh);
      throw error;
    }
    // Only now, so that going back to the way back itself finds it still there.
    await snapshots.replace(fresh, wayBack);
    announce.rewound({ to: wanted.name });
    announce.changed({ subject: 'snapshots' });
  }

  async #snapshot(name: string, automatic: boolean, onProgress: OnProgress): Promise<void> {
    const { collector, snapshots, announce } = this.#parts;
    await collector.pauseWhile(() => snapshots.create(name, automatic, onProgress));
    announce.changed({ subject: 'snapshots' });
  }

  /** A sweep that is nearly through may finish; a long one is left to the next start. */
  async #letSweepFinish(): Promise<void> {
    const timer = setTimeout(() => this.#closing.abort(), sweepGrace);
    await this.#sweep;
    clearTimeout(timer);
    this.#closing.abort();
  }

  #sweepSoon(): void {
    this.#sweep = this.#sweep.then(async () => {
      try {
        await sweepOrphans(this.#parts, this.#closing.signal);
      } catch {
        // A sweep that could not finish (a full disk) is done again at the next start.
      }
    });
  }

  #source() {
    const { folder, tarballs, gatehouse } = this.#parts;
    return {
      databaseFile: folder.databaseFile,
      temporary: folder.temporary,
      pathOf: (sha512: string) => tarballs.pathOf(sha512),
      gatehouse,
    };
  }
}

function requireAbsolute(file: string): void {
  if (isAbsolute(file)) return;
  throw new GatehouseError('invalid_request', `Give the whole path of the archive, not "${file.slice(0, 200)}".`);
}
