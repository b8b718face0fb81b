import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { GatehouseError } from '../../contract/errors.ts';
import { backupSchedule } from '../../contract/maintenance.ts';
import type { BackupContents, ScheduleChange, ScheduleStatus } from '../../contract/maintenance.ts';
import { makeFolders } from '../../lib/make-folders.ts';
import { isInside } from '../../lib/target-file.ts';
import { readContents } from './backup-contents.ts';

/** The schedule with the result of its last backup, as the database stores it. */
const storedSchedule = backupSchedule.extend({
  lastAt: z.int().nullable().default(null),
  lastError: z.string().nullable().default(null),
  /** When it was switched on. */
  since: z.int().nullable().default(null),
  /** Paths of the last backups by hand and of what the schedule left in former folders, newest first. */
  byHand: z.array(z.string()).default([]),
});
type StoredSchedule = z.infer<typeof storedSchedule>;

const hour = 3_600_000;
const hoursOfDay = 24;
/** How many of them are remembered. */
const byHandKept = 20;
/** Names of scheduled archives, and of those of earlier versions. The rotation deletes nothing else. */
const archiveName = /^gatehouse-(?:\d{4}-\d\d-\d\d-\d\d\.\d\d\.\d\d-scheduled\.backup|\d{8}T\d{6}Z\.tar)$/;
/** What a crash left of one. */
const interrupted = /^(gatehouse-.+)\.[0-9a-f-]{36}\.partial$/;

export interface ScheduleOptions {
  readonly read: () => string | undefined;
  readonly write: (text: string) => Promise<void>;
  /** Backups would be lost with it, so that they are not put inside. */
  readonly dataFolder: string;
  /** The folder of backups until another one is set. */
  readonly defaultFolder: string;
  /** Writes a backup; resolves to the error, or null. */
  readonly backUp: (file: string) => Promise<string | null>;
  readonly clock?: () => number;
}

/** Scheduled backups: when the next is due, how many are kept. */
export class Schedule {
  readonly #options: ScheduleOptions;
  readonly #clock: () => number;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;

  constructor(options: ScheduleOptions) {
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
  }

  status(): ScheduleStatus {
    const { byHand, since, ...state } = this.#state();
    const files = new Set([...this.#archives(state.folder).map(({ file }) => file), ...byHand]);
    const archives = [...files].flatMap(archiveAt).toSorted((a, b) => b.createdAt - a.createdAt);
    return { ...state, nextAt: this.#nextAt({ ...state, since }), archives };
  }

  /** @throws GatehouseError `invalid_request` if the folder can't be one. */
  async set(change: ScheduleChange): Promise<ScheduleStatus> {
    const schedule = { ...change, folder: change.folder ?? this.#state().folder };
    if (!isAbsolute(schedule.folder)) {
      throw new GatehouseError('invalid_request', 'The folder for backups must be an absolute path.');
    }
    if (schedule.enabled && isInside(this.#options.dataFolder, schedule.folder)) {
      throw new GatehouseError(
        'invalid_request',
        `${schedule.folder} is inside the data folder. Choose a folder outside it, best on another disk.`,
      );
    }
    if (schedule.enabled) {
      try {
        makeFolders(schedule.folder);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new GatehouseError(
          'invalid_request',
          `The folder for backups cannot be created: ${reason}. Choose another.`,
        );
      }
    }
    const state = this.#state();
    const since = state.enabled ? state.since : this.#clock();
    // Those of the folder before stay listed; the rotation has no more to do with them.
    const left = state.folder === schedule.folder ? [] : this.#archives(state.folder).map(({ file }) => file);
    await this.#save({ ...state, ...schedule, since, byHand: [...left, ...state.byHand].slice(0, byHandKept) });
    return this.status();
  }

  /** Notes a backup that was made by hand, so that it is listed as long as it is there. */
  async note(file: string): Promise<void> {
    const state = this.#state();
    const others = state.byHand.filter((each) => each !== file);
    await this.#save({ ...state, byHand: [file, ...others].slice(0, byHandKept) });
  }

  /** The file of an archive that the status lists: no other file is one. @throws GatehouseError `not_found`. */
  fileOf(archive: string): string {
    const found = this.status().archives.find(({ file }) => file === archive);
    if (found === undefined) throw new GatehouseError('not_found', `There is no backup ${archive} any more.`);
    return found.file;
  }

  /** What one of these archives says of itself. @throws GatehouseError `not_found`, `invalid_request` if it is none. */
  async contentsOf(archive: string): Promise<BackupContents> {
    return readContents(this.fileOf(archive));
  }

  /** Checks regularly whether a backup is due. */
  start(every = 60_000): void {
    this.#timer = setInterval(() => void this.runIfDue(), every);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Writes a backup if one is due. Never rejects: the error is in the status. */
  async runIfDue(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      const state = this.#state();
      const nextAt = this.#nextAt(state);
      const at = this.#clock();
      if (nextAt === null || nextAt > at) return;
      const file = fileAt(state.folder, at);
      const error = await this.#options.backUp(file);
      await this.#save({ ...this.#state(), lastAt: at, lastError: error });
      if (error === null) this.#rotate(state, file);
    } catch {
      // The database may be closed during a stop; the next start tries again.
    } finally {
      this.#isRunning = false;
    }
  }

  /** @param newest kept whatever its name: in an hour that the clock shows twice it may sort behind an older one */
  #rotate({ folder, keep }: StoredSchedule, newest: string): void {
    const others = this.#archives(folder).filter(({ file }) => file !== newest);
    for (const { file } of others.slice(keep - 1)) rmSync(file, { force: true });
    for (const name of readdirSync(folder)) {
      if (archiveName.test(interrupted.exec(name)?.[1] ?? '')) rmSync(join(folder, name), { force: true });
    }
  }

  #nextAt({ enabled, everyHours, atHour, lastAt, since }: Omit<StoredSchedule, 'byHand'>): number | null {
    if (!enabled) return null;
    const now = this.#clock();
    const isDaily = everyHours % hoursOfDay === 0;
    if (lastAt === null && isDaily && since !== null && since <= now) return nextHour(since, atHour);
    // After the clock was set back, a last time in the future would delay every backup.
    if (lastAt === null || lastAt > now) return now;
    return isDaily ? nextHour(lastAt + (everyHours - hoursOfDay) * hour, atHour) : lastAt + everyHours * hour;
  }

  /** Newest first. */
  #archives(folder: string): ScheduleStatus['archives'] {
    return namesIn(folder)
      .filter((name) => archiveName.test(name))
      .toSorted((a, b) => digitsOf(b).localeCompare(digitsOf(a)))
      .flatMap((name) => {
        return archiveAt(join(folder, name));
      });
  }

  #state(): StoredSchedule {
    const text = this.#options.read();
    const parsed = text === undefined ? undefined : storedSchedule.safeParse(JSON.parse(text));
    if (parsed?.success) return parsed.data;
    return {
      enabled: false,
      folder: this.#options.defaultFolder,
      everyHours: hoursOfDay,
      atHour: 2,
      keep: 7,
      lastAt: null,
      lastError: null,
      since: null,
      byHand: [],
    };
  }

  async #save(state: StoredSchedule): Promise<void> {
    await this.#options.write(JSON.stringify(state));
  }
}

/** The first moment after `time` at which a local clock shows the hour. */
function nextHour(time: number, atHour: number): number {
  const next = new Date(time);
  next.setHours(atHour, 0, 0, 0);
  if (next.getTime() <= time) next.setDate(next.getDate() + 1);
  return next.getTime();
}

/** None for a folder that is not there, is a file by now, or cannot be read: the next backup says why. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function archiveAt(file: string): ScheduleStatus['archives'] {
  try {
    const facts = statSync(file);
    return [{ file, size: facts.size, createdAt: Math.round(facts.mtimeMs) }];
  } catch {
    // Deleted, or on a disk that is not here.
    return [];
  }
}

/** A file that is not there yet: an hour that the clock shows twice has each name twice. */
function fileAt(folder: string, time: number): string {
  const file = join(folder, nameAt(time));
  return existsSync(file) ? fileAt(folder, time + 1_000) : file;
}

/** As the window names backups by hand, in the time zone of this machine. */
function nameAt(time: number): string {
  // Swedish dates are ISO dates.
  const at = new Date(time).toLocaleString('sv').replace(' ', '-').replaceAll(':', '.');
  return `gatehouse-${at}-scheduled.backup`;
}

/** The time in a name, from the year down. */
const digitsOf = (name: string): string => name.replaceAll(/\D/g, '');
