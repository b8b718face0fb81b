import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { succeeded } from './support/run-command.ts';
import { samplePackage } from './support/sample-package.ts';

const cli = path.join(import.meta.dirname, '../../server/cli/main.ts');
const vulnerable = '@acme/porous';

let gatehouse: Gatehouse;
beforeAll(async () => {
  gatehouse = await Gatehouse.start();
  const client = await makeClient('npm12', gatehouse);
  for (const version of ['1.0.0', '1.0.1']) {
    succeeded(await client.publish(await samplePackage(client, { name: vulnerable, version })));
  }
  succeeded(await client.publish(await samplePackage(client, { name: '@acme/sound', version: '1.0.0' })));
  await importAdvisory(client);
});
afterAll(() => gatehouse.stop());

/** Takes in an advisory in the form of OSV beside the running server, as an administrator would. */
async function importAdvisory(client: Client): Promise<void> {
  const file = path.join(client.home, 'GHSA-test.json');
  const advisory = {
    schema_version: '1.6.0',
    id: 'GHSA-aaaa-bbbb-cccc',
    summary: 'Water comes through',
    modified: '2026-01-02T00:00:00Z',
    published: '2026-01-01T00:00:00Z',
    database_specific: { severity: 'HIGH', cwe_ids: ['CWE-200'] },
    affected: [
      {
        package: { ecosystem: 'npm', name: vulnerable },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.0.1' }] }],
      },
    ],
  };
  await writeFile(file, JSON.stringify(advisory));
  const command = [cli, 'advisories', 'import', file, '--data-dir', gatehouse.dataDir];
  await promisify(execFile)(process.execPath, command, { timeout: 60_000 });
}

const auditors = [
  { name: 'npm8', audit: ['audit'] },
  { name: 'npm10', audit: ['audit'] },
  { name: 'npm11', audit: ['audit'] },
  { name: 'npm12', audit: ['audit'] },
  { name: 'pnpm9', audit: ['audit'] },
  { name: 'pnpm10', audit: ['audit'] },
  { name: 'pnpm12', audit: ['audit'] },
  { name: 'yarn4', audit: ['npm', 'audit'] },
  { name: 'bun', audit: ['audit'] },
] as const;

// Yarn 1 asks its own registry on the internet, whatever it is configured to.
describe.each(auditors)('audit with $name', ({ name, audit }) => {
  test('is clean where nothing is known', async () => {
    const client = await makeClient(name, gatehouse);
    const project = await client.newProject();
    succeeded(await client.add(project, '@acme/sound', `${vulnerable}@1.0.1`));
    expect(succeeded(await client.run(project, ...audit)).output).toMatch(/no |found 0|0 vulnerabilities/i);
  });

  test('tells of an advisory that was imported', async () => {
    const client = await makeClient(name, gatehouse);
    const project = await client.newProject();
    succeeded(await client.add(project, `${vulnerable}@1.0.0`));
    const { code, output } = await client.run(project, ...audit);
    expect(output).toContain('Water comes through');
    expect(output).toMatch(/high/i);
    // npm 8 leaves it at the report.
    expect(code !== 0).toBe(name !== 'npm8');
  });
});

describe('signatures', () => {
  test('of every version are verified offline by pnpm 12', async () => {
    const client = await makeClient('pnpm12', gatehouse);
    const project = await client.newProject();
    succeeded(await client.add(project, '@acme/sound', vulnerable));
    expect(succeeded(await client.run(project, 'audit', 'signatures')).output).toMatch(/2 packages have .*verified/);
  });
});
