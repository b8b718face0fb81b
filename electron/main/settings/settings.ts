import { z } from 'zod';
import type { AppSettings } from '../../../server/contract/bridge.ts';
import type { JsonFile } from './json-file.ts';

/** Part of `.npmrc` files, so it never changes by itself. */
export const defaultPort = 4899;

const theme = z.enum(['system', 'light', 'dark']);
const port = z.int().min(0).max(65_535);
/** MiB; the registry's own limit is the default. */
const largestTarball = z.int().min(1).max(10_000);

/** The settings that the page may change, and the data folders, which only the app changes. */
export const storedSettings = z.object({
  theme: theme.default('system'),
  port: port.default(defaultPort),
  keepInTray: z.boolean().default(false),
  notifications: z.boolean().default(false),
  largestTarball: largestTarball.default(500),
  checkUpdatesAtStart: z.boolean().default(false),
  /** Null for the app's own folder. */
  dataDir: z.string().nullable().default(null),
  /** The folder that the data was moved from. */
  formerDataDir: z.string().nullable().default(null),
});
export type StoredSettings = z.infer<typeof storedSettings>;

/** What the page may change. `startAtLogin` is stored by the system. */
export const settingsChange = z
  .strictObject({
    theme,
    port,
    keepInTray: z.boolean(),
    notifications: z.boolean(),
    startAtLogin: z.boolean(),
    largestTarball,
    checkUpdatesAtStart: z.boolean(),
  })
  .partial() as z.ZodType<Partial<AppSettings>>;

/** The settings of the app: read once, written at every change. */
export class Settings {
  readonly #file: JsonFile<StoredSettings>;
  #current: StoredSettings;

  constructor(file: JsonFile<StoredSettings>) {
    this.#file = file;
    this.#current = file.read();
  }

  get current(): StoredSettings {
    return this.#current;
  }

  /** Applies and saves a change. Throws the file system's error, and changes nothing, if it cannot be saved. */
  save(change: Partial<StoredSettings>): StoredSettings {
    const next = { ...this.#current, ...change };
    this.#file.write(next);
    this.#current = next;
    return next;
  }
}
