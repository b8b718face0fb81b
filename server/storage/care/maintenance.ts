import { rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Actor } from '../../accounts/change.ts';
import { GatehouseError } from '../../contract/errors.ts';
import type { Snapshot } from '../../contract/maintenance.ts';
import type { EventBus } from '../../lib/event-bus.ts';
import { SingleFlight } from '../../lib/single-flight.ts';
import type { TargetFile } from '../../lib/target-file.ts';
import type { MetaStore } from '../database/stores/meta-store.ts';
import type { WriteQueue } from '../database/write-queue.ts';
import { sweepOrphans } from '../tarballs/sweep.ts';
import { Schedule } from './backup-schedule.ts';
import { writeBackup } from './backup.ts';
import { examine } from './doctor.ts';
import type { DoctorDeps } from './examination.ts';
import { JobList } from './job-list.ts';
import type { OnProgress } from './job-list.ts';
import { unpackBackup } from './restore.ts';
import { prepareState, replaceDatabase } from './rewind.ts';
import type { PrepareOptions } from './rewind.ts';
import { withdrawDamaged } from './withdraw-damaged.ts';

/** Name of the snapshot of the state before the last rewind or restore. */
const preRewindSnapshot = 'before-restore';
/** Its name until the rewind has come about, with the time of its start; older data folders have the word "rewind" in it. */
const temporarySnapshot = /^before-re(?:store|wind)-(\d+)$/;

/** Milliseconds that a sweep gets to finish when the registry is closed. */
const sweepGrace = 1500;

interface BackupOptions {
  readonly onWritten?: () => Promise<void>;
  /** By the schedule. */
  readonly scheduled?: boolean;
}

export interface MaintenanceOptions extends Omit<DoctorDeps, 'unitOfWork'> {
  readonly unitOfWork: WriteQueue;
  readonly events: EventBus;
  readonly meta: MetaStore;
  /** Writes what is in memory and belongs to the present state. */
  readonly flush: () => Promise<void>;
  /** Called when another state has replaced the present one: nothing that was read before is valid. */
  readonly onReplaced: () => void;
}

/** Checks, backups, snapshots and rewinds of the whole data folder. One job runs at a time. */
export class Maintenance {
  readonly jobs: JobList;
  readonly schedule: Schedule;
  readonly #options: MaintenanceOptions;
  readonly #closing = new AbortController();
  readonly #withdrawals = new SingleFlight<boolean>();
  #sweep: Promise<void> = Promise.resolve();
  /** Whether leftovers of crashes before this start were looked for. */
  #isSwept = false;

  constructor(options: MaintenanceOptions) {
    const { events, meta, unitOfWork, folder } = options;
    this.#options = options;
    this.jobs = new JobList(folder.path, (job) => events.publish('maintenance.progress', job));
    this.schedule = new Schedule({
      read: () => meta.get('backup.schedule'),
      write: async (text) => {
        await unitOfWork.write(() => meta.set('backup.schedule', text));
        this.#announce('schedule');
      },
      dataFolder: folder.path,
      defaultFolder: `${folder.path}-backups`,
      backUp: async (file) => (await this.jobs.ended(this.#startBackup({ file }, { scheduled: true }))).error,
    });
  }

  /** Starts the background work: deleting leftovers of crashes, scheduled backups. */
  begin(): void {
    this.#sweep = this.#finishRewinds().catch(() => undefined);
    this.#sweepSoon(this.#options.snapshots.tidy());
    this.schedule.start();
  }

  /** Stops everything; resolves when nothing uses the data folder any more. */
  async end(): Promise<void> {
    this.schedule.stop();
    await this.jobs.stop();
    // A sweep that is nearly through may finish; a long one is left to the next start.
    const timer = setTimeout(() => this.#closing.abort(), sweepGrace);
    await this.#sweep;
    clearTimeout(timer);
    this.#closing.abort();
    this.#options.collector.deleteUnused([]);
    this.#options.snapshots.close();
  }

  /** Resolves when the last sweep has ended. */
  swept(): Promise<void> {
    return this.#sweep;
  }

  /** Starts a check of everything; returns the job. */
  examine(repair: boolean): number {
    return this.jobs.start('doctor', async (onProgress, signal) => {
      // Leftovers of a crash that the first sweep deletes are no findings.
      await this.#sweep;
      return { report: await examine(this.#options, { repair, onProgress, signal }) };
    });
  }

  /** Starts a backup; returns the job. @throws GatehouseError `invalid_request` unless the path is absolute. */
  backUp(file: string, replace = false): number {
    requireAbsolute(file);
    return this.#startBackup({ file, replace }, { onWritten: () => this.schedule.note(file) });
  }

  #startBackup(target: TargetFile, { onWritten, scheduled = false }: BackupOptions): number {
    return this.jobs.start(
      'backup',
      async (onProgress, signal) => {
        const write = () => writeBackup(this.#options, target, onProgress, signal);
        const backup = await this.#options.collector.pauseWhile(write);
        await onWritten?.();
        this.#announce('backups');
        return { backup };
      },
      { scheduled },
    );
  }

  /** Takes a tarball out of service if it is damaged, as a download found it to be; returns whether it was. */
  withdrawDamaged(sha512: string): Promise<boolean> {
    return this.#withdrawals.run(sha512, () => withdrawDamaged(this.#options, sha512));
  }

  /** Newest first. */
  snapshots(): Snapshot[] {
    return this.#options.snapshots.list();
  }

  /** Starts saving the present state; returns the job. */
  createSnapshot(name: string, actor: Actor): number {
    return this.jobs.start('snapshot', async (onProgress) => {
      const { collector, snapshots } = this.#options;
      await collector.pauseWhile(() => snapshots.create(name, { automatic: false, onProgress }));
      await this.#recordSnapshot(actor, 'snapshot.taken', name);
    });
  }

  /** @throws GatehouseError `not_found`. */
  async dropSnapshot(name: string, actor: Actor): Promise<void> {
    this.#sweepSoon(await this.#options.snapshots.drop(name));
    await this.#recordSnapshot(actor, 'snapshot.deleted', name);
  }

  /** Announces it even where the row cannot be written, as on a full disk: what was done to the snapshot stands. */
  async #recordSnapshot(actor: Actor, action: `snapshot.${'taken' | 'deleted'}`, name: string): Promise<void> {
    try {
      const entry = { actor, action, target: { type: 'snapshot', id: null, name } };
      await this.#options.unitOfWork.write((change) => change.record(entry));
    } finally {
      this.#announce('snapshots');
    }
  }

  /** Starts going back to a snapshot while serving; returns the job. @throws GatehouseError `not_found`. */
  rewind(name: string, actor: Actor): number {
    const { collector, snapshots } = this.#options;
    snapshots.fileOf(name);
    return this.jobs.start('rewind', async (onProgress) => {
      onProgress('Preparing the snapshot', 0, 0);
      await collector.pauseWhile(() => {
        const source = snapshots.fileOf(name);
        return this.#replaceState({ source, actor, action: 'registry.rewound', name }, onProgress);
      });
    });
  }

  /**
   * Starts replacing the present state by that of a backup; returns the job.
   * @throws GatehouseError `invalid_request` unless the path is absolute.
   */
  restore(file: string, actor: Actor): number {
    requireAbsolute(file);
    return this.jobs.start('restore', async (onProgress, signal) => {
      const { collector, tarballs, folder } = this.#options;
      const source = join(folder.temporary, `unpacked-${Date.now()}.db`);
      const unpacked: string[] = [];
      try {
        const backup = await collector.pauseWhile(async () => {
          const summary = await unpackBackup(file, { tarballs, databaseFile: source, unpacked }, onProgress, signal);
          const state = { source, actor, action: 'registry.restored', name: file } as const;
          await this.#replaceState(state, onProgress);
          return summary;
        });
        return { backup };
      } finally {
        rmSync(source, { force: true });
        this.#sweepSoon(unpacked);
      }
    });
  }

  /** No tarball may be deleted meanwhile. */
  async #replaceState(wanted: Omit<PrepareOptions, 'folder' | 'live'>, onProgress: OnProgress): Promise<void> {
    const { folder, sqlite, unitOfWork, snapshots, events } = this.#options;
    await this.#options.flush();
    const temporaryName = `${preRewindSnapshot}-${Date.now()}`;
    let isSaved = false;
    let isReplaced = false;
    try {
      // Nothing is written between the snapshot and the change: going back again loses no acknowledged write.
      await unitOfWork.runExclusive(async () => {
        await snapshots.create(temporaryName, { automatic: true, onProgress });
        isSaved = true;
        onProgress('Replacing the database', 0, 0);
        const state = await prepareState({ ...wanted, folder, live: sqlite });
        try {
          await replaceDatabase(state, folder.databaseFile);
          // From here on the snapshot is the only place of the former state.
          isReplaced = true;
        } finally {
          state.discard();
        }
        this.#options.onReplaced();
      });
    } catch (error) {
      if (isSaved && !isReplaced) await snapshots.drop(temporaryName);
      throw error;
    }
    events.publish('registry.rewound', { to: wanted.name });
    // Only now: the former one may be the state that was gone back to.
    this.#sweepSoon(await snapshots.replace(temporaryName, preRewindSnapshot));
    this.#announce('snapshots');
  }

  /** Gives the snapshot of a rewind that a crash interrupted its name if the rewind came about, and drops it if not. */
  async #finishRewinds(): Promise<void> {
    const { snapshots, sqlite } = this.#options;
    const cameAbout = sqlite
      .prepare<[number], number>(
        `SELECT EXISTS (SELECT 1 FROM audit_events WHERE action IN ('registry.rewound', 'registry.restored') AND at >= ?)`,
      )
      .pluck();
    for (const { name, automatic } of snapshots.list().toReversed()) {
      const startedAt = temporarySnapshot.exec(name)?.[1];
      if (!automatic || startedAt === undefined) continue;
      const isWayBack = cameAbout.get(Number(startedAt)) === 1;
      this.#sweepSoon(await (isWayBack ? snapshots.replace(name, preRewindSnapshot) : snapshots.drop(name)));
    }
  }

  /** @param contents looked at besides what the database explains */
  #sweepSoon(contents: readonly string[] = []): void {
    this.#sweep = this.#sweep.then(async () => {
      try {
        const { folder } = this.#options;
        const { signal } = this.#closing;
        const crashedSince = this.#isSwept ? null : folder.crashedSince;
        await sweepOrphans(this.#options, { contents: new Set(contents), crashedSince }, signal);
        if (signal.aborted) return;
        this.#isSwept = true;
        folder.settleCrash();
      } catch {
        // A sweep that failed (a full disk) is repeated at the next start.
      }
    });
  }

  #announce(subject: 'snapshots' | 'backups' | 'schedule'): void {
    this.#options.events.publish('maintenance.changed', { subject });
  }
}

function requireAbsolute(file: string): void {
  if (isAbsolute(file)) return;
  throw new GatehouseError('invalid_request', `Give the whole path of the archive, not "${file.slice(0, 200)}".`);
}
