import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { refused, succeeded } from './support/run-command.ts';
import { samplePackage } from './support/sample-package.ts';

let gatehouse: Gatehouse;
beforeAll(async () => {
  gatehouse = await Gatehouse.start();
  await send('POST', '/protected_environments', {
    name: 'production',
    deploy_access_levels: [{ access_level: 60 }],
    approval_rules: [{ access_level: 40, required_approvals: 2 }],
  });
  await send('PUT', '/packages/npm/guards/latest', { environment: 'production' });
});
afterAll(() => gatehouse.stop());

async function send(method: string, path: string, body: object, token = gatehouse.people.root.token): Promise<unknown> {
  const headers = { 'private-token': token, 'content-type': 'application/json' };
  const url = `${gatehouse.origin}/api/v4/projects/1${path}`;
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  const text = await answer.text();
  expect(answer.status, text).toBeLessThan(300);
  return JSON.parse(text);
}

interface Waiting {
  readonly id: string;
  readonly package_name: string;
  readonly kind: string;
  readonly missing: string;
}

/** What waits, as the registry says. */
async function waiting(name: string): Promise<Waiting[]> {
  const path = `packages/npm/-/requests?package=${encodeURIComponent(name)}`;
  const answer = await gatehouse.fetch(`${gatehouse.origin}/api/v4/projects/1/${path}`);
  return ((await answer.json()) as { items: Waiting[] }).items;
}

/** Without the lines that a client breaks and draws. */
const plain = (output: string) => output.replaceAll(/[\s│]+/g, ' ');

/** Without spaces and escapes: pnpm also breaks names, and Yarn 1 and pnpm print the text as JSON. */
const letters = (output: string) => output.replaceAll(/[\s│\\]+/g, '');

const everyClient = ['npm8', 'npm10', 'npm11', 'npm12', 'pnpm10', 'pnpm12', 'yarn1', 'yarn4', 'bun'] as const;

describe.each(everyClient)('%s', (name) => {
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
});

describe('where a refused change waits for approval', () => {
  beforeAll(async () => {
    await send('PUT', '/packages/npm/-/guard_settings', { on_refusal: 'stage' });
  });

  describe.each(everyClient)('%s', (name) => {
    const pkg = `@acme/waiting-${name}`;
    // They print no notice and say "published" after every success.
    const ended = ['pnpm12', 'yarn1', 'yarn4'].includes(name) ? refused : succeeded;
    let dev: Client;
    beforeAll(async () => {
      const root = await makeClient(name, gatehouse);
      succeeded(await root.publish(await samplePackage(root, { name: pkg, version: '1.0.0' })));
      dev = await makeClient(name, gatehouse, { token: gatehouse.people.dev.token });
    });

    test('publishes nothing and says what waits', async () => {
      const folder = await samplePackage(dev, { name: pkg, version: '2.0.0' });
      const { output } = ended(await dev.publish(folder));
      expect(letters(output)).toContain(`NOTPUBLISHED:${pkg}@2.0.0as"latest"waitsforapproval.Itneeds2approvals`);
      expect(await waiting(pkg)).toMatchObject([{ kind: 'version', missing: '2 approvals from Maintainers' }]);
      expect((await gatehouse.packument(pkg))?.['dist-tags']).toEqual({ latest: '1.0.0' });
      refused(await dev.add(await dev.newProject(), `${pkg}@2.0.0`));
      if (dev.tags) {
        succeeded(await dev.publish(await samplePackage(dev, { name: pkg, version: '1.1.0' }), 'next'));
        const moved = ended(await dev.tags.add(folder, pkg, '1.1.0', 'latest'));
        expect(letters(moved.output)).toContain(`NOTMOVED:${pkg}@1.1.0as"latest"waitsforapproval`);
        expect((await waiting(pkg)).map(({ kind }) => kind).toSorted()).toEqual(['tag', 'version']);
      }
      expect((await gatehouse.packument(pkg))?.['dist-tags']['latest']).toBe('1.0.0');
    });
  });

  describe.each(['npm11', 'npm12', 'pnpm12', 'yarn4'] as const)('%s', (name) => {
    const pkg = `@acme/approved-${name}`;
    const stage = (client: Client, folder: string, ...args: string[]) =>
      client.run(folder, ...(name === 'yarn4' ? ['npm', 'stage'] : ['stage']), ...args);

    test('approves with two people on two tokens, and says after each what is missing', async () => {
      const { people } = gatehouse;
      const [dev, maria, root] = await Promise.all(
        [people.dev, people.maria, people.root].map(({ token }) => makeClient(name, gatehouse, { token })),
      );
      if (!dev || !maria || !root) throw new Error('A client is missing.');
      await dev.publish(await samplePackage(dev, { name: pkg, version: '1.0.0' }));
      const [release] = await waiting(pkg);
      const id = release?.id ?? '';
      const folder = await maria.newProject();
      expect(succeeded(await stage(maria, folder, 'list')).output).toContain(id);
      const own = refused(await stage(dev, await dev.newProject(), 'approve', id)).output;
      expect(plain(own)).toContain('another user has to approve it');
      if (name !== 'yarn4') {
        const viewed = succeeded(await stage(maria, folder, 'view', id)).output;
        expect(viewed).toContain('missing: 2 approvals from Maintainers');
      }
      const ended = name.startsWith('npm') ? succeeded : refused;
      const first = ended(await stage(maria, folder, 'approve', id)).output;
      expect(plain(first)).toContain('NOT published yet: it still needs 1 approval from Maintainers');
      expect(await gatehouse.packument(pkg)).toBeUndefined();
      const last = succeeded(await stage(root, await root.newProject(), 'approve', id)).output;
      if (name.startsWith('npm')) expect(plain(last)).toContain('has every approval and is published');
      expect((await gatehouse.packument(pkg))?.['dist-tags']).toEqual({ latest: '1.0.0' });
    });

    test('rejects', async () => {
      const maria = await makeClient(name, gatehouse, { token: gatehouse.people.maria.token });
      const dev = await makeClient(name, gatehouse, { token: gatehouse.people.dev.token });
      await dev.publish(await samplePackage(dev, { name: pkg, version: '3.0.0' }));
      const [release] = await waiting(pkg);
      succeeded(await stage(maria, await maria.newProject(), 'reject', release?.id ?? ''));
      expect(await waiting(pkg)).toEqual([]);
      expect(Object.keys((await gatehouse.packument(pkg))?.versions ?? {})).not.toContain('3.0.0');
    });
  });
});
