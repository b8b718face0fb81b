import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { rootToken } from '../../support/registry.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

useRegistry('file');
beforeAll(async () => {
  await kit.registry.npm.advisories.importAll({ userId: 1, username: 'root', origin: 'cli', address: null }, [
    {
      source: 'snapshot.json',
      value: {
        minimist: [
          { id: 1179, title: 'Pollution', url: 'https://x.test', severity: 'critical', vulnerable_versions: '<1.2.6' },
        ],
      },
    },
  ]);
});

const bulkPath = '/-/npm/v1/security/advisories/bulk';
const endpoints = [bulkPath, '/-/npm/v1/security/audits/quick', '/-/npm/v1/security/audits'];

function prefixes(): string[] {
  return [kit.projectPath(), kit.groupPath('local'), kit.instancePath];
}

test('a clean bulk audit is an empty object, a clean report an empty report, at every prefix, packed or not', async () => {
  for (const prefix of prefixes()) {
    const body = Buffer.from(JSON.stringify({ 'left-pad': ['1.3.0'] }));
    for (const [bytes, headers] of [
      [body, {}],
      [gzipSync(body), { 'content-encoding': 'gzip' }],
    ] as const) {
      const answer = await kit.send('POST', prefix + bulkPath, { body: bytes, headers });
      expect(answer.status).toBe(200);
      expect(answer.text).toBe('{}');
    }
    const tree = { name: 'app', requires: {}, dependencies: { 'left-pad': { version: '1.3.0' } } };
    const report = await kit.send('POST', `${prefix}/-/npm/v1/security/audits/quick`, {
      body: gzipSync(JSON.stringify(tree)),
      headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
    });
    expect(report.json()).toMatchObject({
      actions: [],
      advisories: {},
      muted: [],
      metadata: { vulnerabilities: { info: 0, low: 0, moderate: 0, high: 0, critical: 0 }, totalDependencies: 1 },
    });
  }
});

test('what was imported is found by versions', async () => {
  const answer = await kit.send('POST', kit.projectPath() + bulkPath, {
    body: { minimist: ['1.2.5', '1.2.8'], other: ['1.0.0'] },
  });
  expect(answer.json()).toMatchObject({
    minimist: [{ id: 1179, severity: 'critical', vulnerable_versions: '<1.2.6' }],
  });
  const safe = await kit.send('POST', kit.projectPath() + bulkPath, { body: { minimist: ['1.2.8', 'nonsense'] } });
  expect(safe.text).toBe('{}');
});

test('without a token: 401 at every prefix and endpoint', async () => {
  for (const prefix of prefixes()) {
    for (const endpoint of endpoints) {
      const answer = await kit.send('POST', prefix + endpoint, { token: undefined, body: {} });
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toContain('Bearer');
    }
  }
});

test('a place that the caller can not see is not found', async () => {
  const { token } = await kit.user();
  for (const prefix of [kit.projectPath(), kit.groupPath('local'), kit.projectPath(999)]) {
    expect((await kit.send('POST', prefix + bulkPath, { token, body: {} })).status).toBe(404);
  }
  expect((await kit.send('POST', kit.instancePath + bulkPath, { token, body: {} })).status).toBe(200);
});

test('garbage is told as 400, never as a failure of the server', async () => {
  const bodies = ['', '{', 'null', '[]', '"text"', '{"a":"1.0.0"}', '{"dependencies":[]}', '{"dependencies":{"a":1}}'];
  for (const endpoint of endpoints) {
    for (const body of bodies) {
      const answer = await kit.send('POST', kit.projectPath() + endpoint, { body, token: rootToken });
      // A package may be called "dependencies", and a tree may be empty.
      const isFine = endpoint === bulkPath ? body === '{"dependencies":[]}' : body === '{"a":"1.0.0"}';
      expect(answer.status, `${endpoint} ${body}`).toBe(isFine ? 200 : 400);
      if (answer.status === 400) expect(answer.json()['error']).toEqual(expect.any(String));
    }
    const cut = await kit.send('POST', kit.projectPath() + endpoint, {
      body: gzipSync('{}').subarray(0, 10),
      headers: { 'content-encoding': 'gzip' },
    });
    expect(cut.status).toBe(400);
    expect((await kit.get(kit.projectPath() + endpoint)).status).toBe(405);
  }
});
