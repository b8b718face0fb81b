import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';

/**
 * A small JSON file with a schema. Reading never fails: a missing or invalid file reads as the schema's defaults, and an invalid one is
 * renamed to `.broken`. Writing is atomic.
 */
export class JsonFile<T> {
  readonly #file: string;
  readonly #schema: z.ZodType<T>;

  constructor(file: string, schema: z.ZodType<T>) {
    this.#file = file;
    this.#schema = schema;
  }

  read(): T {
    let text: string;
    try {
      text = readFileSync(this.#file, 'utf8');
    } catch {
      return this.#schema.parse({});
    }
    try {
      return this.#schema.parse(JSON.parse(text));
    } catch {
      this.#setAside();
      return this.#schema.parse({});
    }
  }

  /** Throws the file system's error if the file cannot be written. */
  write(value: T): void {
    mkdirSync(path.dirname(this.#file), { recursive: true });
    const temporary = `${this.#file}.new`;
    writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    renameSync(temporary, this.#file);
  }

  #setAside(): void {
    try {
      renameSync(this.#file, `${this.#file}.broken`);
    } catch {
      // The next save overwrites it.
    }
  }
}
