import { fromHex, parse } from 'ssri';
import type { IntegrityMap } from 'ssri';

/** Hash algorithms that registries use, the strongest first. */
const algorithms = ['sha512', 'sha384', 'sha256', 'sha1'] as const;
type Algorithm = (typeof algorithms)[number];

/** What a packument says that a tarball's bytes hash to: every hash of the strongest algorithm it names, of which one must fit. */
export interface ExpectedIntegrity {
  readonly algorithm: Algorithm;
  /** As an SRI text, without options. */
  readonly text: string;
}

/** SRI form of a hash given in hex; of a SHA-512 unless another algorithm is named. */
export function integrityOf(hex: string, algorithm: Algorithm = 'sha512'): string {
  return fromHex(hex, algorithm).toString();
}

/** The hashes of an SRI text by algorithm; undefined if it holds none. */
export function parseIntegrity(text: string): IntegrityMap | undefined {
  // ssri returns null for this, which its types leave out.
  return parse(text) ?? undefined;
}

/** Reads `dist` of a manifest, `integrity` before `shasum`; undefined if it names no known hash. */
export function expectedIntegrity({
  integrity,
  shasum,
}: Readonly<Record<string, unknown>>): ExpectedIntegrity | undefined {
  const parsed = typeof integrity === 'string' ? parseIntegrity(integrity) : undefined;
  const algorithm = algorithms.find((name) => parsed?.[name]);
  if (parsed && algorithm) {
    return { algorithm, text: (parsed[algorithm] ?? []).map(({ digest }) => `${algorithm}-${digest}`).join(' ') };
  }
  if (typeof shasum !== 'string' || !/^[0-9a-f]{40}$/i.test(shasum)) return undefined;
  return { algorithm: 'sha1', text: integrityOf(shasum, 'sha1') };
}

/** Whether two SRI texts can be of one content: compares the strongest algorithm that both name; undefined if they share none. */
export function sameIntegrity(a: string, b: string): boolean | undefined {
  const [left, right] = [parseIntegrity(a), parseIntegrity(b)];
  if (!left || !right || !algorithms.some((name) => left[name] && right[name])) return undefined;
  return left.match(right) !== false;
}
