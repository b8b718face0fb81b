export const severities = ['info', 'low', 'moderate', 'high', 'critical'] as const;
export type Severity = (typeof severities)[number];

/** The severity of a word that a source uses, `medium` included; undefined if it is none. */
export function severityOf(word: string | undefined): Severity | undefined {
  const wanted = word?.toLowerCase().replace('medium', 'moderate');
  return severities.find((severity) => severity === wanted);
}

/** Milliseconds since 1970 of a date text; 0 if there is none. */
export function timeOf(text: string | undefined): number {
  return Date.parse(text ?? '') || 0;
}

/** One known vulnerability of one package. Times are milliseconds since 1970. */
export interface Advisory {
  /** The id at its source, for instance `GHSA-…` or `npm:1234`. */
  readonly sourceId: string;
  readonly packageName: string;
  /** npm's number, or null. */
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

export interface AdvisoryStore {
  /** Advisories of one package, in the order of their import. */
  of(packageName: string): StoredAdvisory[];
  count(): { advisories: number; packages: number; importedAt: number | null };
  /** Replaces all rows of an advisory; an empty list removes it. For a unit of work. */
  replace(sourceId: string, advisories: readonly Advisory[], now: number): void;
  /** Removes all; returns how many there were. For a unit of work. */
  clear(): number;
}
