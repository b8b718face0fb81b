import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { shorten } from '../../lib/printable.ts';

const strength = ['sha512', 'sha384', 'sha256', 'sha1'] as const;
type Algorithm = (typeof strength)[number];

/** What a packument says that a tarball's bytes give: the strongest hash it names, as `algorithm-base64`. */
export interface ExpectedIntegrity {
  readonly algorithm: Algorithm;
  /** All hashes of that algorithm; one of them must fit (SRI lets several stand). */
  readonly hashes: readonly string[];
  readonly text: string;
}

/** Reads `dist` of a manifest; undefined if it names no hash that is known. */
export function expectedIntegrity(dist: Readonly<Record<string, unknown>>): ExpectedIntegrity | undefined {
  const { integrity, shasum } = dist as { integrity?: unknown; shasum?: unknown };
  const named = typeof integrity === 'string' ? parseIntegrity(integrity) : undefined;
  if (named) return named;
  if (typeof shasum !== 'string' || !/^[0-9a-f]{40}$/i.test(shasum)) return undefined;
  return parseIntegrity(`sha1-${Buffer.from(shasum, 'hex').toString('base64')}`);
}

/** Reads an SRI text; undefined if it holds no hash that is known. */
export function parseIntegrity(text: string): ExpectedIntegrity | undefined {
  const hashes = text
    .trim()
    .split(/\s+/)
    .map((hash) => hash.split('?')[0] ?? '');
  for (const algorithm of strength) {
    const fitting = hashes.filter((hash) => hash.startsWith(`${algorithm}-`) && hash.length > algorithm.length + 1);
    if (fitting.length > 0) return { algorithm, hashes: fitting, text: fitting.join(' ') };
  }
  return undefined;
}

/** Hashes bytes while they pass and says in the end whether they are what was expected. */
export class IntegrityCheck {
  readonly #expected: ExpectedIntegrity;
  readonly #hash: Hash;

  constructor(expected: ExpectedIntegrity) {
    this.#expected = expected;
    this.#hash = createHash(expected.algorithm);
  }

  update(chunk: Buffer): void {
    this.#hash.update(chunk);
  }

  /** A sentence that says what differs; undefined if nothing does. */
  problem(): string | undefined {
    const actual = `${this.#expected.algorithm}-${this.#hash.digest('base64')}`;
    if (this.#expected.hashes.includes(actual)) return undefined;
    return `the bytes give ${actual}, the packument says ${shorten(this.#expected.text, 200)}`;
  }
}

/** Whether two SRI texts can both be true of one content: equal where they name the same algorithm; undefined if they share none. */
export function sameIntegrity(a: string, b: string): boolean | undefined {
  for (const algorithm of strength) {
    const ofA = hashesOf(a, algorithm);
    const ofB = hashesOf(b, algorithm);
    if (ofA.length > 0 && ofB.length > 0) return ofA.some((hash) => ofB.includes(hash));
  }
  return undefined;
}

function hashesOf(text: string, algorithm: Algorithm): string[] {
  return text
    .trim()
    .split(/\s+/)
    .map((hash) => hash.split('?')[0] ?? '')
    .filter((hash) => hash.startsWith(`${algorithm}-`));
}
