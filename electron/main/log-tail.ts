const keptLines = 200;
const longestLine = 2_000;

/** The last lines of a stream of text that arrives in pieces. */
export class LogTail {
  #lines: string[] = [];
  #unfinished = '';

  add(text: string): void {
    const pieces = (this.#unfinished + text).split(/\r?\n/);
    this.#unfinished = (pieces.pop() ?? '').slice(0, longestLine);
    this.#lines.push(...pieces.map((line) => line.slice(0, longestLine)));
    if (this.#lines.length > keptLines) this.#lines = this.#lines.slice(-keptLines);
  }

  /** Oldest first, the unfinished line last. */
  lines(): string[] {
    return this.#unfinished === '' ? [...this.#lines] : [...this.#lines, this.#unfinished];
  }
}
