import semver from 'semver';
import { z } from 'zod';
import type { Advisory } from './advisory.ts';
import { severityOf, timeOf } from './advisory.ts';
import { cvssScore, severityOfScore } from './cvss.ts';

const osvEvent = z.object({
  introduced: z.string().optional(),
  fixed: z.string().optional(),
  last_affected: z.string().optional(),
  limit: z.string().optional(),
});

/** The part of the OSV schema that an npm audit needs. */
export const osvDocument = z.object({
  id: z.string().min(1),
  summary: z.string().optional(),
  details: z.string().optional(),
  aliases: z.array(z.string()).default([]),
  published: z.string().optional(),
  modified: z.string().optional(),
  withdrawn: z.string().optional(),
  severity: z.array(z.object({ type: z.string(), score: z.string() })).default([]),
  references: z.array(z.object({ type: z.string().optional(), url: z.string() })).default([]),
  database_specific: z
    .looseObject({ severity: z.string().optional(), cwe_ids: z.array(z.string()).optional() })
    .optional(),
  affected: z
    .array(
      z.object({
        package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
        ranges: z.array(z.object({ type: z.string(), events: z.array(osvEvent).default([]) })).default([]),
        versions: z.array(z.string()).default([]),
      }),
    )
    .default([]),
});
type OsvDocument = z.infer<typeof osvDocument>;
type Affected = OsvDocument['affected'][number];

/** The advisories that an OSV document holds about npm packages; none if it was withdrawn or is about something else. */
export function advisoriesFromOsv(document: OsvDocument): Advisory[] {
  if (document.withdrawn !== undefined) return [];
  const inNpm = document.affected.filter((affected) => affected.package?.ecosystem.toLowerCase() === 'npm');
  return [...Map.groupBy(inNpm, (affected) => affected.package?.name ?? '')].flatMap(([packageName, affected]) => {
    const fixed = affected.flatMap((entry) => eventsOf(entry).flat()).flatMap((event) => event.fixed ?? []);
    const vulnerable = affected.flatMap((entry) => {
      const ranges = eventsOf(entry).flatMap(rangesOf);
      // Listed versions count where there is no range.
      return ranges.length > 0 ? ranges : entry.versions.filter((version) => semver.valid(version));
    });
    return vulnerable.length === 0 ? [] : [describe(document, packageName, vulnerable, fixed)];
  });
}

function eventsOf({ ranges }: Affected): Affected['ranges'][number]['events'][] {
  return ranges.filter(({ type }) => type !== 'GIT').map(({ events }) => events);
}

function describe(document: OsvDocument, packageName: string, vulnerable: string[], fixed: string[]): Advisory {
  const vector = document.severity.find(({ type }) => type === 'CVSS_V3')?.score ?? null;
  const score = vector === null ? undefined : cvssScore(vector);
  const patched = [...new Set(fixed)].filter((version) => semver.valid(version)).toSorted(semver.compare);
  const link = document.references.find(({ type }) => type === 'ADVISORY') ?? document.references[0];
  const published = timeOf(document.published);
  return {
    sourceId: document.id,
    packageName,
    npmId: null,
    title: document.summary ?? document.id,
    url: document.id.startsWith('GHSA-')
      ? `https://github.com/advisories/${document.id}`
      : (link?.url ?? `https://osv.dev/vulnerability/${document.id}`),
    severity:
      severityOf(document.database_specific?.severity) ?? (score === undefined ? 'moderate' : severityOfScore(score)),
    vulnerableVersions: [...new Set(vulnerable)].join(' || '),
    patchedVersions: patched.length === 0 ? '<0.0.0' : patched.map((version) => `>=${version}`).join(' || '),
    overview: document.details ?? '',
    cwe: document.database_specific?.cwe_ids ?? [],
    cves: document.aliases.filter((alias) => alias.startsWith('CVE-')),
    cvss: { score: score ?? 0, vectorString: vector },
    createdAt: published,
    updatedAt: timeOf(document.modified) || published,
  };
}

/** Events in npm's syntax: each `introduced` opens a range that the next `fixed`, `last_affected` or `limit` closes. */
function rangesOf(events: Affected['ranges'][number]['events']): string[] {
  const ranges: string[] = [];
  let from: string | undefined;
  const close = (upper: string) => {
    const lower = from === undefined || from === '0' ? '' : `>=${from}`;
    ranges.push([lower, upper].filter((part) => part !== '').join(' ') || '>=0.0.0-0');
    from = undefined;
  };
  for (const event of events) {
    if (event.introduced !== undefined) {
      if (from !== undefined) close('');
      from = event.introduced;
    } else if (from !== undefined && event.fixed !== undefined) close(`<${event.fixed}`);
    else if (from !== undefined && event.last_affected !== undefined) close(`<=${event.last_affected}`);
    else if (from !== undefined && event.limit !== undefined && event.limit !== '*') close(`<${event.limit}`);
  }
  if (from !== undefined) close('');
  return ranges.filter((range) => semver.validRange(range, { loose: true }) !== null);
}
