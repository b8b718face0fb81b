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
const settingsObject = z.object({
  theme: theme.default('system'),
  port: port.default(defaultPort),
  serveOthers: z.boolean().default(false),
  keepInTray: z.boolean().default(false),
  notifications: z.boolean().default(false),
  largestTarball: largestTarball.default(500),
  checkUpdatesAtStart: z.boolean().default(false),
  /** Null for the app's own folder. */
  dataDir: z.string().nullable().default(null),
  /** The folders that the data was moved from, the last one first. */
  formerDataDirs: z.array(z.string()).default([]),
});
export const storedSettings = z.preprocess(withFormerFolders, settingsObject);
export type StoredSettings = z.infer<typeof storedSettings>;

/** What the page may change. `startAtLogin` is stored by the system. */
export const settingsChange = z
  .strictObject({
    theme,
    port,
    serveOthers: z.boolean(),
    keepInTray: z.boolean(),
    notifications: z.boolean(),
    startAtLogin: z.boolean(),
    largestTarball,
    checkUpdatesAtStart: z.boolean(),
  })
  .partial() as z.ZodType<Partial<AppSettings>>;

/** Older versions stored the last folder alone. */
function withFormerFolders(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null || !('formerDataDir' in stored)) return stored;
  return { formerDataDirs: typeof stored.formerDataDir === 'string' ? [stored.formerDataDir] : [], ...stored };
}

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
