import { createHash } from 'node:crypto';
import { createGunzip, gunzipSync } from 'node:zlib';
import type { Gunzip, ZlibOptions } from 'node:zlib';
import { GatehouseError } from '../../contract/errors.ts';
import { joinChunks } from '../../lib/join-chunks.ts';
import { shorten } from '../../lib/printable.ts';
import { type EntryContent, TarChecker, type TarEntry } from './tar-checker.ts';
import { TarballPaths, hasName, invalidTarball } from './tarball-paths.ts';
import { defaultInspectionLimits, maximumReadmeBytes } from './upload-limits.ts';
import type { InspectionLimits } from './upload-limits.ts';

/** What is known of a tarball once every entry of it was seen. */
export interface TarballInspection {
  readonly fileCount: number;
  /** Sum of the files' sizes in bytes. */
  readonly unpackedSize: number;
  /** The one `<folder>/package.json`, parsed. */
  readonly packageJson: Readonly<Record<string, unknown>>;
  /** Text of the first `<folder>/README*`, if it has one; of a long one just more than is kept. */
  readonly readme: { readonly filename: string; readonly text: string } | null;
  readonly hasInstallScript: boolean;
}

/** Compressed bytes up to which a tarball is unpacked in memory at once, and the bytes that it may unpack to then. */
const heldInMemory = 256 * 1024;
const unpackedAtOnce = 4 * 1024 * 1024;

/** Bytes that a large tarball is unpacked to at a time: few enough that what is made of them takes no other request's time. */
const streamedOutput = 256 * 1024;

/** The largest output buffer that is made because a tarball says so. */
const largestOutput = 512 * 1024;

/** The size at the end of a gzip file is stated modulo this. */
const gzipSizes = 2 ** 32;

const maximumPackageJson = 4 * 1024 * 1024;

/**
 * Reads a gzipped tar as it is written: takes package.json and the readme out, counts, and refuses what an installer must never meet
 * (links, devices, absolute paths, `..`) and what installers would read differently. A small one is read as a whole at the end, a large
 * one while it streams. Write the bytes, then await `result`.
 */
export class TarballInspector {
  readonly #limits: InspectionLimits;
  #held: Buffer[] | undefined = [];
  /** Compressed bytes so far, and the last four of them. */
  #size = 0;
  #tail = Buffer.alloc(0);
  #gunzip: Gunzip | undefined;
  #done: Promise<void> | undefined;
  #fileCount = 0;
  #unpackedSize = 0;
  #entries = 0;
  readonly #paths = new TarballPaths();
  readonly #tar = new TarChecker((entry) => this.#begin(entry));
  #packageJson: Buffer | undefined;
  #readme: TarballInspection['readme'] = null;
  #hasGypfile = false;

  constructor(limits: InspectionLimits = defaultInspectionLimits) {
    this.#limits = limits;
  }

  /** Takes the next compressed bytes; resolves when it can take more. After a failure it takes them and does nothing. */
  async write(chunk: Buffer): Promise<void> {
    this.#size += chunk.length;
    this.#tail = Buffer.from(chunk.length < 4 ? Buffer.concat([this.#tail, chunk]).subarray(-4) : chunk.subarray(-4));
    if (!this.#held) {
      await this.#feed(chunk);
      return;
    }
    this.#held.push(chunk);
    if (this.#size > heldInMemory) await this.#streamHeld();
  }

  /** Gives up; frees what it holds. */
  cancel(): void {
    this.#held = undefined;
    this.#gunzip?.destroy();
  }

  /**
   * Ends the input and returns what was found.
   * @throws GatehouseError `invalid_request` that says what is wrong with the tarball.
   */
  async result(): Promise<TarballInspection> {
    try {
      if (!this.#readHeld()) await this.#endStream();
      this.#tar.end();
    } catch (error) {
      if (error instanceof GatehouseError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw invalidTarball(`is not a gzipped tar archive (${shorten(reason)}). Pack it with "npm pack"`);
    }
    if (!this.#packageJson) throw invalidTarball('holds no package.json in its top folder. Pack it with "npm pack"');
    const packageJson = parsePackageJson(this.#packageJson);
    return {
      fileCount: this.#fileCount,
      unpackedSize: this.#unpackedSize,
      packageJson,
      readme: this.#readme,
      hasInstallScript: declaresInstallScript(packageJson) || this.#hasGypfile,
    };
  }

  /** Unpacks what is held in memory at once; false if there is too much of it. */
  #readHeld(): boolean {
    if (!this.#held) return false;
    let unpacked: Buffer;
    try {
      const packed = joinChunks(this.#held);
      const chunkSize = Math.min(Math.max(this.#statedSize() + 64, 16 * 1024), largestOutput);
      // Its types leave out what `info` changes.
      const { buffer, engine } = gunzipSync(packed, {
        maxOutputLength: unpackedAtOnce,
        chunkSize,
        info: true,
      }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
      unpacked = buffer;
      this.#requireOneMember(engine.bytesWritten, unpacked.length);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') return false;
      throw error;
    }
    this.#tar.check(unpacked);
    return true;
  }

  async #endStream(): Promise<void> {
    await this.#streamHeld();
    this.#gunzip?.end();
    await this.#done;
  }

  /** Leaves the memory and reads on as a stream. */
  async #streamHeld(): Promise<void> {
    const held = this.#held ?? [];
    this.#startStreaming();
    for (const chunk of held) await this.#feed(chunk);
  }

  /** Makes the stream, which unpacks on another thread. */
  #startStreaming(): void {
    if (this.#gunzip) return;
    this.#held = undefined;
    const limits = this.#limits;
    const gunzip = createGunzip({
      chunkSize: streamedOutput,
      writableHighWaterMark: 2 * streamedOutput,
      readableHighWaterMark: 2 * streamedOutput,
    } as ZlibOptions);
    this.#gunzip = gunzip;
    // Headers and padding count too, with room for them.
    const most = Math.min(limits.unpackedSize + limits.entries * 1024, gzipSizes - 1);
    this.#done = (async () => {
      let unpacked = 0;
      for await (const chunk of gunzip as AsyncIterable<Buffer>) {
        unpacked += chunk.length;
        if (unpacked > most) throw tooLarge(limits);
        this.#tar.check(chunk);
      }
      this.#requireOneMember(gunzip.bytesWritten, unpacked);
    })();
    // Asked for later by `result`; until then a failure must not count as unhandled.
    this.#done.catch(() => undefined);
  }

  /** Unpacked size that the last four bytes of a gzip file state. */
  #statedSize(): number {
    return this.#tail.length < 4 ? 0 : this.#tail.readUInt32LE();
  }

  /** Some unpackers read the first part of a gzip file only. @param read compressed bytes that were used */
  #requireOneMember(read: number, unpacked: number): void {
    if (read === this.#size && this.#statedSize() === unpacked) return;
    throw invalidTarball(
      'holds more than one gzip member, of which some package managers read the first only. Pack it with "npm pack"',
    );
  }

  async #feed(chunk: Buffer): Promise<void> {
    const gunzip = this.#gunzip;
    if (!gunzip || gunzip.destroyed || gunzip.write(chunk)) return;
    await new Promise<void>((resolve) => {
      const proceed = () => {
        gunzip.off('drain', proceed);
        gunzip.off('close', proceed);
        resolve();
      };
      gunzip.on('drain', proceed);
      gunzip.on('close', proceed);
    });
  }

  #begin({ path, type, size }: TarEntry): EntryContent | undefined {
    this.#entries += 1;
    if (this.#entries > this.#limits.entries) throw invalidTarball(`holds more than ${this.#limits.entries} entries`);
    const isFolder = type === 'directory';
    const { name: place, setContent } = this.#paths.add(path, isFolder);
    if (isFolder) return undefined;
    if (type !== 'file') {
      throw invalidTarball(`holds a ${type} ("${shorten(path)}"), which may point anywhere. Pack plain files only`);
    }
    this.#fileCount += 1;
    this.#unpackedSize += size;
    if (this.#unpackedSize > this.#limits.unpackedSize) throw tooLarge(this.#limits);
    if (place !== undefined && hasName(place, 'binding.gyp')) this.#hasGypfile = true;
    const content = this.#contentFor(place, size);
    if (!setContent) return content;
    const digest = createHash('sha256');
    return {
      take: (bytes) => {
        digest.update(bytes);
        content?.take(bytes);
      },
      end: () => {
        content?.end();
        setContent(digest.digest('base64'));
      },
    };
  }

  /** What takes the content of a file that is directly in the package's folder, if it is one of those that are read. */
  #contentFor(place: string | undefined, size: number): EntryContent | undefined {
    if (place === 'package.json') {
      if (size > maximumPackageJson)
        throw invalidTarball(`holds a package.json of more than ${maximumPackageJson} bytes`);
      return collect(size, (bytes) => (this.#packageJson = bytes));
    }
    if (place === undefined || !/^readme(?:\.[a-z]+)?$/i.test(place) || this.#readme) return undefined;
    return collect(
      maximumReadmeBytes + 1,
      (bytes) => (this.#readme = { filename: place, text: bytes.toString('utf8') }),
    );
  }
}

/** Whether npm would run something when it installs this package. */
export function declaresInstallScript(manifest: Readonly<Record<string, unknown>>): boolean {
  const { scripts } = manifest as { scripts?: unknown };
  if (typeof scripts !== 'object' || scripts === null) return false;
  return ['preinstall', 'install', 'postinstall'].some((name) => Object.hasOwn(scripts, name));
}

/** Hands on the first bytes of a content, at most `most`. */
function collect(most: number, done: (bytes: Buffer) => void): EntryContent {
  const chunks: Buffer[] = [];
  let left = most;
  return {
    take(bytes) {
      if (left === 0) return;
      chunks.push(bytes.subarray(0, left));
      left = Math.max(0, left - bytes.length);
    },
    end: () => done(Buffer.concat(chunks)),
  };
}

function parsePackageJson(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    // npm and Windows editors leave a byte order mark now and then.
    const value: unknown = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Falls through to the error below.
  }
  throw invalidTarball('holds a package.json that is not a JSON object');
}

function tooLarge(limits: InspectionLimits): GatehouseError {
  return invalidTarball(`unpacks to more than ${limits.unpackedSize} bytes`);
}
