export const severities = ['info', 'low', 'moderate', 'high', 'critical'] as const;
export type Severity = (typeof severities)[number];

/** One known vulnerability of one package, wherever it was read from. Times are milliseconds since 1970. */
export interface Advisory {
  /** The id that its source gave it, for instance `GHSA-…` or `npm:1234`. */
  readonly sourceId: string;
  readonly packageName: string;
  /** The number that npm knows it by, or null. */
  readonly npmId: number | null;
  readonly title: string;
  readonly url: string;
  readonly severity: Severity;
  /** Ranges in npm's syntax. */
  readonly vulnerableVersions: string;
  /** `<0.0.0` where nothing is patched, as npm writes it. */
  readonly patchedVersions: string;
  readonly overview: string;
  readonly cwe: readonly string[];
  readonly cves: readonly string[];
  readonly cvss: { readonly score: number; readonly vectorString: string | null };
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface StoredAdvisory extends Advisory {
  readonly id: number;
}

/** Where advisories are kept. */
export interface AdvisoryStore {
  /** Of one package, in the order of their import. */
  of(packageName: string): StoredAdvisory[];
  count(): { advisories: number; packages: number; importedAt: number | null };
  /** Replaces everything that is known from the same source about this advisory; an empty list takes it away. For a unit of work. */
  replace(sourceId: string, advisories: readonly Advisory[], now: number): void;
  /** Takes all away; answers how many there were. For a unit of work. */
  clear(): number;
}
