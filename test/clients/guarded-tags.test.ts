import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { refused, succeeded } from './support/run-command.ts';
import { samplePackage } from './support/sample-package.ts';

let gatehouse: Gatehouse;
beforeAll(async () => {
  gatehouse = await Gatehouse.start();
  const api = `${gatehouse.origin}/api/v4/projects/1`;
  const send = async (method: string, path: string, body: object) => {
    const headers = { 'private-token': gatehouse.people.root.token, 'content-type': 'application/json' };
    const answer = await fetch(`${api}${path}`, { method, headers, body: JSON.stringify(body) });
    expect(answer.status, await answer.text()).toBeLessThan(300);
  };
  await send('POST', '/protected_environments', {
    name: 'production',
    deploy_access_levels: [{ access_level: 60 }],
  });
  await send('PUT', '/packages/npm/guards/latest', { environment: 'production' });
});
afterAll(() => gatehouse.stop());

/** Without the lines that a client breaks and draws. */
const plain = (output: string) => output.replaceAll(/[\s│]+/g, ' ');

describe.each(['npm8', 'npm10', 'npm11', 'npm12', 'pnpm10', 'pnpm12', 'yarn1', 'yarn4', 'bun'] as const)(
  '%s',
  (name) => {
    const pkg = `@acme/guarded-${name}`;
    let client: Client;
    beforeAll(async () => {
      client = await makeClient(name, gatehouse, { token: gatehouse.people.maria.token });
    });

    test('prints what guards a tag, ends with an error, and publishes where nothing guards', async () => {
      const root = await makeClient(name, gatehouse);
      succeeded(await root.publish(await samplePackage(root, { name: pkg, version: '1.0.0' })));
      const folder = await samplePackage(client, { name: pkg, version: '2.0.0' });
      const { output } = refused(await client.publish(folder));
      const words = plain(output);
      expect(words).toContain(`The dist-tag latest of ${pkg} is guarded by the environment production`);
      expect(words).toContain('through Administrators');
      expect((await gatehouse.packument(pkg))?.['dist-tags']).toEqual({ latest: '1.0.0' });
      succeeded(await client.publish(folder, 'next'));
      expect((await gatehouse.packument(pkg))?.['dist-tags']).toEqual({ latest: '1.0.0', next: '2.0.0' });
      if (!client.tags) return;
      const moved = refused(await client.tags.add(folder, pkg, '2.0.0', 'latest')).output;
      expect(plain(moved)).toContain('is guarded by the environment production');
    });
  },
);
