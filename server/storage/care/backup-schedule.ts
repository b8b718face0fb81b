import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { GatehouseError } from '../../contract/errors.ts';
import type { BackupSchedule, ScheduleStatus } from '../../contract/maintenance.ts';
import { parseKeptSchedule } from './kept-schedule.ts';
import type { KeptSchedule } from './kept-schedule.ts';

const hour = 3_600_000;
/** Names that the schedule gives, in UTC; nothing else is ever deleted by a rotation. */
const archiveName = /^gatehouse-\d{8}T\d{6}Z\.tar$/;

export interface ScheduleParts {
  readonly read: () => string | undefined;
  readonly write: (text: string) => Promise<void>;
  /** Where backups go until somebody says otherwise. */
  readonly defaultFolder: string;
  /** Writes a backup; resolves to what went wrong, or null. */
  readonly backUp: (file: string) => Promise<string | null>;
  readonly clock?: () => number;
}

/** Backups by the clock: when the next is due, how many stay. */
export class Schedule {
  readonly #parts: ScheduleParts;
  readonly #clock: () => number;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;

  constructor(parts: ScheduleParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? Date.now;
  }

  status(): ScheduleStatus {
    const state = this.#state();
    return { ...state, nextAt: this.#nextAt(state), archives: this.#archives(state.folder) };
  }

  /** @throws GatehouseError `invalid_request` if the folder can't be one. */
  async set(schedule: BackupSchedule): Promise<ScheduleStatus> {
    if (!isAbsolute(schedule.folder)) {
      throw new GatehouseError('invalid_request', 'The folder for backups must be given with its whole path.');
    }
    if (schedule.enabled) {
      try {
        mkdirSync(schedule.folder, { recursive: true });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new GatehouseError(
          'invalid_request',
          `The folder for backups cannot be made: ${reason}. Choose another.`,
        );
      }
    }
    const { lastAt, lastError } = this.#state();
    await this.#save({ ...schedule, lastAt, lastError });
    return this.status();
  }

  /** Looks now and then whether a backup is due. The first look is a little after the start. */
  run(every = 60_000): void {
    this.#timer = setInterval(() => void this.look(), every);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Makes a backup if one is due; resolves when it is done. Never rejects: what went wrong stands in the status. */
  async look(): Promise<void> {
    const state = this.#state();
    const nextAt = this.#nextAt(state);
    if (this.#isRunning || nextAt === null || nextAt > this.#clock()) return;
    this.#isRunning = true;
    try {
      const at = this.#clock();
      const error = await this.#parts.backUp(join(state.folder, nameAt(at)));
      await this.#save({ ...this.#state(), lastAt: at, lastError: error });
      if (error === null) this.#rotate(state);
    } catch {
      // The database may be gone in the middle of a stop; the next start looks again.
    } finally {
      this.#isRunning = false;
    }
  }

  #rotate({ folder, keep }: KeptSchedule): void {
    for (const { file } of this.#archives(folder).slice(keep)) rmSync(file, { force: true });
  }

  #nextAt({ enabled, everyHours, lastAt }: KeptSchedule): number | null {
    if (!enabled) return null;
    // After a clock was set back, a last time in the future would put off every backup.
    if (lastAt === null || lastAt > this.#clock()) return this.#clock();
    return lastAt + everyHours * hour;
  }

  /** Newest first. */
  #archives(folder: string): ScheduleStatus['archives'] {
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => archiveName.test(name))
      .toSorted()
      .toReversed()
      .flatMap((name) => {
        const file = join(folder, name);
        const facts = statSync(file, { throwIfNoEntry: false });
        return facts ? [{ file, size: facts.size, createdAt: Math.round(facts.mtimeMs) }] : [];
      });
  }

  #state(): KeptSchedule {
    const text = this.#parts.read();
    const parsed = text === undefined ? undefined : parseKeptSchedule(text);
    if (parsed) return parsed;
    return {
      enabled: false,
      folder: this.#parts.defaultFolder,
      everyHours: 24,
      keep: 7,
      lastAt: null,
      lastError: null,
    };
  }

  async #save(state: KeptSchedule): Promise<void> {
    await this.#parts.write(JSON.stringify(state));
  }
}

function nameAt(time: number): string {
  return `gatehouse-${new Date(time).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')}.tar`;
}
