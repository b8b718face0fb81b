import { ownText, withOwnBytes } from './own-copy.ts';

interface Entry<V = unknown> {
  readonly key: string;
  readonly value: V;
  readonly size: number;
  readonly drop: () => void;
}

/** Bytes that an entry takes beside its key and what its value is counted with: objects, and places in three tables. */
const entryOverhead = 500;
/** The part of a budget that one value may take: a larger one would push out everything else. */
const largestPart = 1 / 4;

/** The bytes that all caches of a server together may hold; what was unused for longest leaves, whichever cache has it. */
export class CacheBudget {
  readonly limit: number;
  /** A set iterates in the order of insertion, so the first entry is always the one unused for longest. */
  readonly #entries = new Set<Entry>();
  #size = 0;

  /** @param limit in bytes */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** Bytes that the caches hold now. */
  get size(): number {
    return this.#size;
  }

  add(entry: Entry): void {
    this.#entries.add(entry);
    this.#size += entry.size;
    for (const oldest of this.#entries) {
      if (this.#size <= this.limit) break;
      oldest.drop();
    }
  }

  touch(entry: Entry): void {
    this.#entries.delete(entry);
    this.#entries.add(entry);
  }

  remove(entry: Entry): void {
    if (this.#entries.delete(entry)) this.#size -= entry.size;
  }
}

/** A cache of the most recently used values, within a budget that it shares with other caches. */
export class ByteCache<V> {
  readonly #budget: CacheBudget;
  readonly #entries = new Map<string, Entry<V>>();
  readonly #onDrop: ((key: string, value: V) => void) | undefined;

  /** @param onDrop called for each value that leaves, except by `clear` */
  constructor(budget: CacheBudget, onDrop?: (key: string, value: V) => void) {
    this.#budget = budget;
    this.#onDrop = onDrop;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#budget.touch(entry);
    return entry.value;
  }

  /**
   * Keeps a value, unless it is too large. Its `bytes`, if it has any, hold no larger block from then on.
   * @param size bytes that the value holds; the cache counts its key and itself
   * @returns key and value as they are kept, for use in the place of those that were given
   */
  set(key: string, value: V, size: number): { readonly key: string; readonly value: V } | undefined {
    this.delete(key);
    const ownKey = ownText(key);
    const whole = size + 2 * ownKey.length + entryOverhead;
    if (whole > this.#budget.limit * largestPart) return undefined;
    const entry: Entry<V> = { key: ownKey, value: withOwnBytes(value), size: whole, drop: () => this.delete(ownKey) };
    this.#entries.set(ownKey, entry);
    this.#budget.add(entry);
    return entry;
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#budget.remove(entry);
    this.#onDrop?.(key, entry.value);
  }

  clear(): void {
    for (const entry of this.#entries.values()) this.#budget.remove(entry);
    this.#entries.clear();
  }
}
