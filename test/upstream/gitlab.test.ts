import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UpstreamRow } from '../../server/upstream/upstream-store.ts';
import { rootToken, TestRegistry } from '../support/registry.ts';
import { FakeUpstream } from './support/fake-upstream.ts';
import { addUpstream, pushTo, readPackument, rootActor } from './support/upstream-registry.ts';

let laptop: TestRegistry;

beforeEach(async () => {
  laptop = await TestRegistry.start();
});
afterEach(() => laptop.stop());

const push = (upstream: UpstreamRow) => pushTo(laptop, upstream, ['@acme']);

describe("GitLab's API", () => {
  it('takes everything: deprecations one version at a time, unpublishes through the packages API', async () => {
    const gitlab = await TestRegistry.start();
    const upstream = await addUpstream(laptop, `${gitlab.origin}${gitlab.groupPath(1)}`, {
      kind: 'gitlab',
      pushUrl: `${gitlab.origin}${gitlab.projectPath()}`,
      token: rootToken,
      scopes: [],
    });
    const { editor, unpublisher, store } = laptop.registry.packages;
    await laptop.publish({ name: '@acme/tool', version: '1.0.0' });
    await laptop.publish({ name: '@acme/tool', version: '1.1.0', tag: 'next' });
    const id = store.packagesNamed('@acme/tool')[0]?.id ?? 0;
    const messages = Object.entries({ '1.0.0': 'first', '1.1.0': 'second' });
    await editor.deprecate(id, new Map(messages), rootActor);
    expect(await push(upstream)).toMatchObject({ failed: 0, conflicts: 0 });
    const after = await readPackument(gitlab, '@acme/tool');
    expect(after?.versions['1.0.0']?.deprecated).toBe('first');
    expect(after?.versions['1.1.0']?.deprecated).toBe('second');
    await unpublisher.unpublishVersion(id, '1.1.0', rootActor);
    expect(await push(upstream)).toMatchObject({ failed: 0, conflicts: 0 });
    expect(Object.keys((await readPackument(gitlab, '@acme/tool'))!.versions)).toEqual(['1.0.0']);
    await gitlab.stop();
  });

  it('may take a version in first and show it later; without integrity the shasum decides', async () => {
    const gitlab = await FakeUpstream.start();
    gitlab.onlyShasum = true;
    const project = `${gitlab.url}/api/v4/projects/7/packages/npm`;
    await laptop.publish({ name: '@acme/tool', version: '1.0.0' });
    const puts: string[] = [];
    let looks = 0;
    let body = '';
    gitlab.override = async (req, res) => {
      if (req.method === 'PUT') {
        for await (const chunk of req) body += String(chunk);
        puts.push(decodeURIComponent(req.url ?? ''));
        res.end('{}');
        return true;
      }
      looks += body === '' ? 0 : 1;
      const document = body === '' ? undefined : (JSON.parse(body) as { versions: Record<string, { dist: unknown }> });
      if (!document || looks < 3) {
        res.writeHead(404).end('{}');
        return true;
      }
      const { shasum, tarball } = document.versions['1.0.0']!.dist as { shasum: string; tarball: string };
      const manifest = { name: '@acme/tool', version: '1.0.0', dist: { shasum, tarball } };
      const tags = { latest: '1.0.0' };
      res.end(JSON.stringify({ name: '@acme/tool', 'dist-tags': tags, versions: { '1.0.0': manifest } }));
      return true;
    };
    const upstream = await addUpstream(laptop, project, { kind: 'gitlab', token: rootToken, scopes: [] });
    const status = await push(upstream);
    expect(status.operations.map(({ error }) => error)).toEqual([null, null]);
    expect(puts).toEqual(['/api/v4/projects/7/packages/npm/@acme/tool']);
    const sent = JSON.parse(body) as { _attachments: Record<string, { data: string; length: number }> };
    const attachment = sent._attachments['@acme/tool-1.0.0.tgz'];
    expect(Buffer.from(attachment?.data ?? '', 'base64').length).toBe(attachment?.length);
    await gitlab.goAway();
  });

  it('refuses with a text that says what to do when the address for publishing is no project', async () => {
    const upstream = await addUpstream(laptop, 'http://127.0.0.1:9/api/v4/groups/1/-/packages/npm', { kind: 'gitlab' });
    await expect(laptop.registry.upstream.outbox.start(upstream.id, ['@acme'])).rejects.toThrow(
      /--push-url acme\/tools/,
    );
  });
});
