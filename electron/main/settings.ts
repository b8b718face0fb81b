import { z } from 'zod';
import type { AppSettings } from '../../server/contract/bridge.ts';
import type { JsonFile } from './json-file.ts';

/** The port that stands in people's `.npmrc`, so it never changes by itself. */
export const defaultPort = 4899;

const theme = z.enum(['system', 'light', 'dark']);
const port = z.int().min(0).max(65_535);

export const appSettings = z.object({
  theme: theme.default('system'),
  port: port.default(defaultPort),
}) satisfies z.ZodType<AppSettings>;

export const settingsChange = z.strictObject({ theme, port }).partial() as z.ZodType<Partial<AppSettings>>;

/** The settings of the app: read once, kept in memory, written at every change. */
export class Settings {
  readonly #file: JsonFile<AppSettings>;
  #current: AppSettings;

  constructor(file: JsonFile<AppSettings>) {
    this.#file = file;
    this.#current = file.read();
  }

  get current(): AppSettings {
    return this.#current;
  }

  /** Applies and saves a change; the settings stay as they were if it cannot be saved (throws the file system's error). */
  save(change: Partial<AppSettings>): AppSettings {
    const next = { ...this.#current, ...change };
    this.#file.write(next);
    this.#current = next;
    return next;
  }
}
