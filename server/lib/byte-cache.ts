/** A cache of the most recently used values, bounded by the sum of their sizes. */
export class ByteCache<V> {
  readonly #limit: number;
  readonly #entries = new Map<string, { value: V; size: number }>();
  readonly #onDrop: ((key: string, value: V) => void) | undefined;
  #size = 0;

  /**
   * @param limit in bytes, as the sizes passed to `set`
   * @param onDrop called for each value that leaves, except by `clear`
   */
  constructor(limit: number, onDrop?: (key: string, value: V) => void) {
    this.#limit = limit;
    this.#onDrop = onDrop;
  }

  get size(): number {
    return this.#size;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    // A map iterates in the order of insertion, so the first key is always the one unused for longest.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: V, size: number): void {
    this.delete(key);
    if (size > this.#limit) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#limit) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
    this.#onDrop?.(key, entry.value);
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }
}
