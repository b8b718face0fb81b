import { expect, test } from 'vitest';
import { Advisories } from './advisories.ts';
import type { Advisory, AdvisoryStore, StoredAdvisory } from './advisory.ts';
import { auditReport, bulkAudit } from './audit-report.ts';
import { cvssScore } from './cvss.ts';
import { advisoriesFromNpm } from './npm-advisory.ts';
import { advisoriesFromOsv, osvDocument } from './osv-advisory.ts';

const actor = { userId: 1, username: 'root', origin: 'cli', address: null } as const;

class MemoryStore implements AdvisoryStore {
  rows: StoredAdvisory[] = [];
  of = (name: string) => this.rows.filter(({ packageName }) => packageName === name);
  count = () => ({ advisories: this.rows.length, packages: 0, importedAt: null });
  replace = (sourceId: string, advisories: readonly Advisory[]) => {
    this.rows = this.rows.filter((row) => row.sourceId !== sourceId);
    for (const advisory of advisories) this.rows.push({ ...advisory, id: this.rows.length + 1 });
  };
  clear = () => this.rows.splice(0).length;
}

function fresh(): Advisories {
  const change = { now: 0, record: () => undefined, emit: () => undefined };
  return new Advisories(new MemoryStore(), { write: (work) => Promise.resolve(work(change)) });
}

const osv = {
  id: 'GHSA-aaaa-bbbb-cccc',
  summary: 'Prototype pollution in lodash',
  aliases: ['CVE-2020-8203'],
  published: '2020-07-15T19:15:48Z',
  severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:H/A:H' }],
  database_specific: { severity: 'HIGH', cwe_ids: ['CWE-1321'] },
  affected: [
    {
      package: { ecosystem: 'npm', name: 'lodash' },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '3.7.0' }, { fixed: '4.17.19' }] }],
    },
    { package: { ecosystem: 'PyPI', name: 'lodash' }, ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }] }] },
  ],
};

test('an OSV document becomes an advisory with ranges, score, severity and links', () => {
  expect(advisoriesFromOsv(osvDocument.parse(osv))).toEqual([
    {
      sourceId: 'GHSA-aaaa-bbbb-cccc',
      packageName: 'lodash',
      npmId: null,
      title: 'Prototype pollution in lodash',
      url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
      severity: 'high',
      vulnerableVersions: '>=3.7.0 <4.17.19',
      patchedVersions: '>=4.17.19',
      overview: '',
      cwe: ['CWE-1321'],
      cves: ['CVE-2020-8203'],
      cvss: { score: 7.4, vectorString: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:H/A:H' },
      createdAt: Date.parse('2020-07-15T19:15:48Z'),
      updatedAt: Date.parse('2020-07-15T19:15:48Z'),
    },
  ]);
});

test.each([
  [[{ introduced: '0' }], '>=0.0.0-0'],
  [[{ introduced: '0' }, { fixed: '1.0.0' }], '<1.0.0'],
  [[{ introduced: '1.0.0' }, { last_affected: '1.2.0' }], '>=1.0.0 <=1.2.0'],
  [
    [{ introduced: '1.0.0' }, { fixed: '1.1.0' }, { introduced: '2.0.0' }, { fixed: '2.1.0' }],
    '>=1.0.0 <1.1.0 || >=2.0.0 <2.1.0',
  ],
  [[{ introduced: '1.0.0' }, { introduced: '2.0.0' }, { limit: '*' }], '>=1.0.0 || >=2.0.0'],
])('events %j are the range %j', (events, range) => {
  const document = {
    ...osv,
    affected: [{ package: { ecosystem: 'npm', name: 'a' }, ranges: [{ type: 'SEMVER', events }] }],
  };
  expect(advisoriesFromOsv(osvDocument.parse(document))[0]?.vulnerableVersions).toBe(range);
});

test.each([
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
  ['CVSS:3.0/AV:L/AC:L/PR:H/UI:N/S:U/C:L/I:N/A:N', 2.3],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0],
  ['CVSS:4.0/AV:N', undefined],
  ['CVSS:3.1/AV:X', undefined],
])('%s scores %s', (vector, score) => {
  expect(cvssScore(vector)).toBe(score);
});

const npmEntry = {
  id: 1523,
  title: 'Pollution',
  url: 'https://x.test/1523',
  severity: 'high',
  vulnerable_versions: '<4.17.19',
};

test.each([
  ['a bulk answer', { lodash: [npmEntry] }],
  ['a list', [{ ...npmEntry, module_name: 'lodash' }]],
  ['a single advisory', { ...npmEntry, module_name: 'lodash' }],
  ['an old report', { advisories: { 1523: { ...npmEntry, module_name: 'lodash' } }, metadata: {} }],
  [
    'a new report',
    {
      vulnerabilities: {
        lodash: {
          via: [
            { ...npmEntry, vulnerable_versions: undefined, range: '<4.17.19', source: 1523, name: 'lodash' },
            'other',
          ],
        },
      },
    },
  ],
])('reads %s of npm', (_label, document) => {
  expect(advisoriesFromNpm(document)).toMatchObject([
    { packageName: 'lodash', npmId: 1523, severity: 'high', vulnerableVersions: '<4.17.19' },
  ]);
});

test('an import replaces what is known of an advisory, and takes a withdrawn one away', async () => {
  const advisories = fresh();
  expect(await advisories.importAll(actor, [{ source: 'a.json', value: osv }])).toEqual({
    advisories: 1,
    packages: 1,
    skipped: 0,
  });
  await advisories.importAll(actor, [{ source: 'a.json', value: { ...osv, summary: 'New words' } }]);
  expect(await bulkAudit(advisories, { lodash: ['4.17.0', '4.17.21'] })).toMatchObject({
    lodash: [{ title: 'New words' }],
  });
  expect(await bulkAudit(advisories, { lodash: ['4.17.21', '3.0.0'] })).toEqual({});
  await advisories.importAll(actor, [{ source: 'a.json', value: { ...osv, withdrawn: '2024-01-01T00:00:00Z' } }]);
  expect(await bulkAudit(advisories, { lodash: ['4.17.0'] })).toEqual({});
});

test('a document that is neither is refused by name', async () => {
  await expect(fresh().importAll(actor, [{ source: 'notes.json', value: { hello: 'world' } }])).rejects.toThrow(
    /notes\.json/,
  );
  await expect(
    fresh().importAll(actor, [
      { source: 'bad.json', value: [{ ...npmEntry, name: 'a', vulnerable_versions: 'what' }] },
    ]),
  ).rejects.toThrow(/bad\.json/);
});

test('a report names each path to a vulnerable version and counts the tree', async () => {
  const advisories = fresh();
  await advisories.importAll(actor, [{ source: 'a.json', value: { lodash: [npmEntry] } }]);
  const report = await auditReport(advisories, {
    name: 'app',
    version: '1.0.0',
    requires: { lodash: '^4' },
    dependencies: {
      lodash: { version: '4.17.0', dev: true },
      other: { version: '1.0.0', dependencies: { lodash: { version: '4.17.0' } } },
      fine: { version: '2.0.0', optional: true },
    },
  });
  expect(report).toMatchObject({
    actions: [{ action: 'review', module: 'lodash', resolves: [{ id: 1523, path: expect.any(String) }, { id: 1523 }] }],
    advisories: { 1523: { module_name: 'lodash', findings: [{ version: '4.17.0', dev: false }] } },
    muted: [],
    metadata: {
      vulnerabilities: { info: 0, low: 0, moderate: 0, high: 2, critical: 0 },
      dependencies: 2,
      devDependencies: 1,
      optionalDependencies: 1,
      totalDependencies: 4,
    },
  });
});

test.each([null, 'text', [], { a: '1.0.0' }, { a: [1] }])('the bulk body %j is refused', async (body) => {
  await expect(bulkAudit(fresh(), body)).rejects.toMatchObject({ code: 'invalid_request' });
});

test('a tree too deep to be one is refused, not followed until the stack ends', async () => {
  let tree: Record<string, unknown> = { version: '1.0.0' };
  for (let depth = 0; depth < 100_000; depth += 1) tree = { version: '1.0.0', dependencies: { a: tree } };
  await expect(auditReport(fresh(), tree)).rejects.toMatchObject({ code: 'invalid_request' });
});
