import type { WrittenStatement } from '../late-statement.ts';

/** What can be given to a statement and written down. */
export type LoggedValue = null | number | bigint | string | Uint8Array;

/** A statement that ran, with its values. */
export interface LoggedRun {
  readonly sql: string;
  readonly values: readonly LoggedValue[];
}

const kinds = { text: 1, run: 2 } as const;
const types = { null: 0, number: 1, bigint: 2, string: 3, bytes: 4 } as const;

/** Bytes that a recorder keeps between two batches. */
const usualSize = 256 * 1024;
/** UTF-8 takes at most so many bytes for one unit of a JavaScript string. */
const bytesPerUnit = 3;

/**
 * Writes down what the statements of a batch did, as bytes that `readRuns` reads. Each statement's text is written once per batch, so a batch
 * can be read without any other. Room is left in front for whoever stores the bytes (`headroom`).
 */
export class StatementRecorder {
  readonly #headroom: number;
  readonly #limit: number;
  #bytes: Buffer;
  #length = 0;
  #count = 0;
  #isComplete = true;
  readonly #numbers = new Map<WrittenStatement, number>();

  /** @param limit bytes beyond which a batch is not written down any more */
  constructor(headroom: number, limit: number) {
    this.#headroom = headroom;
    this.#limit = limit;
    this.#bytes = Buffer.allocUnsafeSlow(usualSize);
  }

  /** Forgets what was written down, for another batch. */
  begin(): void {
    this.#length = this.#headroom;
    this.#count = 0;
    this.#isComplete = true;
    this.#numbers.clear();
    if (this.#bytes.length > usualSize) this.#bytes = Buffer.allocUnsafeSlow(usualSize);
  }

  /** Writes one statement down. What cannot be written makes the batch incomplete. */
  add(statement: WrittenStatement, values: readonly unknown[]): void {
    this.#count += 1;
    if (!this.#isComplete) return;
    if (!this.#makeRoom(spaceFor(statement, values))) {
      this.#isComplete = false;
      return;
    }
    let number = this.#numbers.get(statement);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(statement, number);
      this.#byte(kinds.text);
      this.#string(statement.sql);
    }
    this.#byte(kinds.run);
    this.#length = this.#bytes.writeUInt16LE(number, this.#length);
    this.#length = this.#bytes.writeUInt16LE(values.length, this.#length);
    for (const value of values) this.#value(value);
  }

  /** Statements that ran since `begin`, whether they could be written down or not. */
  get count(): number {
    return this.#count;
  }

  /** Whether everything of the batch could be written down. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The bytes of the batch behind the headroom; they are good until the next `begin`. */
  written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #makeRoom(size: number): boolean {
    const needed = this.#length + size;
    if (needed <= this.#bytes.length) return true;
    if (needed > this.#limit) return false;
    const larger = Buffer.allocUnsafeSlow(Math.min(this.#limit, Math.max(needed, this.#bytes.length * 2)));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
    return true;
  }

  #value(value: unknown): void {
    if (value === null || value === undefined) this.#byte(types.null);
    else if (typeof value === 'number') {
      this.#byte(types.number);
      this.#length = this.#bytes.writeDoubleLE(value, this.#length);
    } else if (typeof value === 'bigint') {
      this.#byte(types.bigint);
      this.#length = this.#bytes.writeBigInt64LE(value, this.#length);
    } else if (typeof value === 'string') {
      this.#byte(types.string);
      this.#string(value);
    } else if (value instanceof Uint8Array) {
      this.#byte(types.bytes);
      this.#length = this.#bytes.writeUInt32LE(value.length, this.#length);
      this.#bytes.set(value, this.#length);
      this.#length += value.length;
    } else this.#isComplete = false;
  }

  #byte(byte: number): void {
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  #string(text: string): void {
    const size = this.#bytes.write(text, this.#length + 4);
    this.#bytes.writeUInt32LE(size, this.#length);
    this.#length += 4 + size;
  }
}

/** Bytes that a statement takes at most. */
function spaceFor(statement: WrittenStatement, values: readonly unknown[]): number {
  let space = 10 + statement.sql.length * bytesPerUnit + values.length * 9;
  for (const value of values) {
    if (typeof value === 'string') space += value.length * bytesPerUnit;
    else if (value instanceof Uint8Array) space += value.length;
  }
  return space;
}

/**
 * Reads what a recorder wrote, in order.
 * @throws RangeError or Error if these are not such bytes
 */
export function* readRuns(bytes: Buffer): Generator<LoggedRun> {
  const texts: string[] = [];
  let at = 0;
  const take = (size: number): number => {
    const from = at;
    at += size;
    if (at > bytes.length) throw new RangeError('A statement in the log ends too early.');
    return from;
  };
  const block = (): Buffer => {
    const size = bytes.readUInt32LE(take(4));
    return bytes.subarray(take(size), at);
  };
  const value = (): LoggedValue => {
    const type = bytes[take(1)];
    switch (type) {
      case types.null:
        return null;
      case types.number:
        return bytes.readDoubleLE(take(8));
      case types.bigint:
        return bytes.readBigInt64LE(take(8));
      case types.string:
        return block().toString('utf8');
      case types.bytes:
        return block();
      default:
        throw new Error(`The log holds a value of an unknown kind, ${type}.`);
    }
  };
  while (at < bytes.length) {
    const kind = bytes[take(1)];
    if (kind === kinds.text) {
      texts.push(block().toString('utf8'));
    } else if (kind === kinds.run) {
      const sql = texts[bytes.readUInt16LE(take(2))];
      if (sql === undefined) throw new Error('The log refers to a statement that it does not hold.');
      const count = bytes.readUInt16LE(take(2));
      const values: LoggedValue[] = [];
      for (let index = 0; index < count; index += 1) values.push(value());
      yield { sql, values };
    } else throw new Error(`The log holds an entry of an unknown kind, ${kind}.`);
  }
}
