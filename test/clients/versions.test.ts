import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientNames, installedManifest } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { refused, succeeded } from './support/run-command.ts';
import { samplePackage } from './support/sample-package.ts';

let gatehouse: Gatehouse;
beforeAll(async () => {
  gatehouse = await Gatehouse.start();
});
afterAll(() => gatehouse.stop());

const change = async (method: string, rest: string, body: object): Promise<number> => {
  const url = `${gatehouse.origin}/api/v4/${rest}?${new URLSearchParams(Object.entries(body)).toString()}`;
  const answer = await gatehouse.fetch(url, { method });
  expect(answer.ok).toBe(true);
  return ((await answer.json()) as { id: number }).id;
};

describe.each(clientNames)('%s', (name) => {
  test('publishes a version with build metadata once, and installs it', async () => {
    const client = await makeClient(name, gatehouse);
    const tool = `built-${name}`;
    succeeded(await client.publish(await samplePackage(client, { name: tool, version: '1.4.0+build.7' })));
    expect(
      refused(await client.publish(await samplePackage(client, { name: tool, version: '1.4.0+build.8' }))).output,
    ).toMatch(/exist|over/i);
    const project = await client.newProject();
    succeeded(await client.add(project, `${tool}@^1.4.0`));
    expect(installedManifest(project, tool)['version']).toMatch(/^1\.4\.0/);
    await rm(path.join(project, 'node_modules'), { recursive: true });
    await client.forget();
    succeeded(await client.installFrozen(project));
  });

  test('installs from its lockfile and publishes no more once the project has another path', async () => {
    const before = `before-${name}`;
    const groupId = await change('POST', 'groups', { name: before, path: before });
    const projectId = await change('POST', 'projects', { name: 'lib', path: 'lib', namespace_id: String(groupId) });
    const client = await makeClient(name, gatehouse, { registry: gatehouse.projectRegistry(`${before}/lib`) });
    const tool = `moved-${name}`;
    succeeded(await client.publish(await samplePackage(client, { name: tool, version: '1.0.0' })));
    const project = await client.newProject();
    succeeded(await client.add(project, tool));
    await change('PUT', `groups/${groupId}`, { path: `after-${name}` });
    await rm(path.join(project, 'node_modules'), { recursive: true });
    await client.forget();
    succeeded(await client.installFrozen(project));
    expect(installedManifest(project, tool)['version']).toBe('1.0.0');
    expect(refused(await client.publish(await samplePackage(client, { name: tool, version: '1.1.0' }))).output).toMatch(
      /404|not found/i,
    );
    expect(Object.keys((await gatehouse.packument(tool, projectId))?.versions ?? {})).toEqual(['1.0.0']);
  });
});
