import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectFolder, disconnectFolder, previewConnection } from '../../server/registry/connect/connect-folder.ts';
import { createSelfTestMethods } from '../../server/control/connect-methods.ts';
import { MethodHost } from '../../server/control/method-host.ts';
import type { Transport } from '../../server/control/transport.ts';
import type { Actor } from '../../server/accounts/change.ts';
import { TestRegistry } from '../support/registry.ts';

const actor: Actor = { userId: 1, username: 'root', origin: 'window', address: null };
let registry: TestRegistry;
let folder: string;
let file: string;

beforeAll(async () => {
  registry = await TestRegistry.start();
});
afterAll(() => registry.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-connect-'));
  file = join(folder, '.npmrc');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const input = () => ({
  folder,
  scope: null,
  tool: 'npm' as const,
  registry: `${registry.origin}${registry.projectPath()}/`,
});
const connect = () => connectFolder(input(), registry.directory.tokens, actor, 1);
const disconnect = () => disconnectFolder(folder, registry.directory.tokens, actor);
const tokenIn = (text: string) => /:_authToken=(\S+)/.exec(text)?.[1] ?? '';
const whoami = (token: string) => registry.get(`${registry.projectPath()}/-/whoami`, { token });

describe('connecting a folder', () => {
  it('writes a token that works, for its owner’s eyes only, and takes all of it back', async () => {
    writeFileSync(file, 'save-exact=true');
    await connect();
    const written = readFileSync(file, 'utf8');
    expect(written.startsWith('save-exact=true\n')).toBe(true);
    expect((await whoami(tokenIn(written))).json()).toEqual({ username: 'root' });

    expect(await disconnect()).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('save-exact=true');
    expect((await whoami(tokenIn(written))).status).toBe(401);
  });

  it('makes the file where there is none, readable by its owner alone, and removes it again', async () => {
    await connect();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await disconnect();
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
    expect(await disconnect()).toBe(false);
  });

  it('revokes the token of an earlier connection when it is done again', async () => {
    await connect();
    const first = tokenIn(readFileSync(file, 'utf8'));
    await connect();
    const second = tokenIn(readFileSync(file, 'utf8'));
    expect(second).not.toBe(first);
    expect([(await whoami(first)).status, (await whoami(second)).status]).toEqual([401, 200]);
  });

  it('shows what it would write without making a token', () => {
    const before = registry.directory.tokens.list(1).length;
    const { after } = previewConnection(input());
    expect(after).toContain(`registry=${registry.origin}`);
    expect(registry.directory.tokens.list(1)).toHaveLength(before);
  });

  it('refuses settings that Yarn could not read afterwards, leaves them alone and makes no token', async () => {
    const settings = join(folder, '.yarnrc.yml');
    const text = 'npmRegistryServer: "https://elsewhere.test"\n';
    writeFileSync(settings, text);
    const before = registry.directory.tokens.list(1).length;
    await expect(connectFolder({ ...input(), tool: 'yarn' }, registry.directory.tokens, actor, 1)).rejects.toThrow(
      'Yarn could not read',
    );
    expect(readFileSync(settings, 'utf8')).toBe(text);
    expect(registry.directory.tokens.list(1)).toHaveLength(before);
  });

  it('leaves bytes that are no UTF-8 as they are', async () => {
    const former = Buffer.from('# J\xfcrgen\nsave-exact=true\n', 'latin1');
    writeFileSync(file, former);
    await connect();
    await disconnect();
    expect(readFileSync(file)).toEqual(former);
    writeFileSync(file, '# Jürgen\n');
    expect(previewConnection(input())).toMatchObject({ before: '# Jürgen\n' });
  });

  it('copies nothing through a link that the folder brought along, and replaces none', async () => {
    const secret = join(folder, 'secret');
    writeFileSync(secret, 'secret');
    symlinkSync(secret, file);
    await expect(connect()).rejects.toThrow(/\.npmrc is a link/);
    expect(() => previewConnection(input())).toThrow(/is a link/);
    expect(await disconnect()).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe('secret');
    rmSync(file);
    mkdirSync(file);
    await expect(connect()).rejects.toThrow(/is no file/);
  });

  it('refuses a folder that is not there and makes no token for it', async () => {
    const before = registry.directory.tokens.list(1).length;
    await expect(
      connectFolder({ ...input(), folder: join(folder, 'no') }, registry.directory.tokens, actor, 1),
    ).rejects.toThrow('There is no folder');
    expect(registry.directory.tokens.list(1)).toHaveLength(before);
  });
});

it('tries the npm of this machine against the registry and leaves nothing behind', async () => {
  const methods = createSelfTestMethods(registry.registry, actor, registry.server);
  const ended = new Promise<void>((resolve) => {
    registry.registry.events.subscribe(({ topic }) => {
      void (async () => {
        if (topic === 'connect.changed' && !(await methods['connect.selfTest']({})).running) resolve();
      })();
    });
  });
  await methods['connect.startSelfTest']({ projectId: 1 });
  await ended;
  const { steps } = await methods['connect.selfTest']({});
  const npm = steps.filter((step) => step.client === 'npm');
  expect(npm.map(({ command, state, output }) => [command, state, state === 'passed' ? '' : output])).toEqual([
    ['publish', 'passed', ''],
    ['view', 'passed', ''],
    ['install', 'passed', ''],
  ]);
  expect(steps.map((step) => step.output).join('')).not.toContain('glpat-');
  expect(
    registry.registry.packages.catalog.list({ orderBy: 'name', direction: 'asc', offset: 0, limit: 10 }).total,
  ).toBe(0);
  expect(await registry.storedTarballs()).toEqual([]);
  // The test itself is not shown as a connected client.
  const arrivals = async () =>
    (await methods['connect.arrivals']({ since: 0 })).filter(({ client }) => client.startsWith('npm/'));
  expect(await arrivals()).toEqual([]);
  const ping = `${registry.server.origin}/api/v4/projects/1/packages/npm/-/ping`;
  await (await fetch(ping, { headers: { 'user-agent': 'npm/11.0.0 node/v24.0.0' } })).text();
  expect(await arrivals()).toMatchObject([{ client: 'npm/11.0.0 node/v24.0.0' }]);
}, 120_000);

/** Ends a test with the package managers of this machine out of the way. */
async function withPath(path: string, work: () => Promise<void>): Promise<void> {
  const former = process.env['PATH'];
  process.env['PATH'] = `${path}:/usr/bin:/bin`;
  try {
    await work();
  } finally {
    process.env['PATH'] = former;
  }
}

/** A link of the window whose replies arrive in `replies`. */
function linkTo(host: MethodHost): {
  call: (method: string, params: object, caller?: 'window' | 'app') => void;
  replies: unknown[];
} {
  const replies: unknown[] = [];
  let receive: Parameters<Transport['onMessage']>[0] = () => undefined;
  const transport: Transport = {
    send: (message) => void (message.kind === 'reply' && replies.push(message)),
    onMessage: (listener) => (receive = listener),
    onClose: () => undefined,
    close: () => undefined,
  };
  host.attach(transport, { callers: ['window', 'app'], sendsEvent: () => false });
  const call = (method: string, params: object, caller: 'window' | 'app' = 'window') =>
    receive({ kind: 'request', id: replies.length + 1, caller, method, params });
  return { call, replies };
}

const isAlive = (pid: number): boolean => {
  try {
    return /^State:\s+[^ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

it.each(['--version', 'publish'])(
  'ends a self-test whose npm hangs at %s, with all that npm started, before the registry closes',
  async (hangsAt) => {
    const started = join(folder, 'started');
    writeFileSync(
      join(folder, 'npm'),
      `#!/bin/sh\nif [ "$1" = "${hangsAt}" ]; then sleep 600 & echo $! > ${started}.part; mv ${started}.part ${started}; wait; fi\necho 1.0.0\n`,
      { mode: 0o755 },
    );
    const activeTokens = (): number[] => {
      const { tokens: service } = registry.directory;
      return service.list(1).flatMap((token) => (service.stateOf(token) === 'active' ? [token.id] : []));
    };
    const tokens = activeTokens();
    const host = new MethodHost(registry.registry, registry.server);
    const { call, replies } = linkTo(host);
    await withPath(folder, async () => {
      call('connect.startSelfTest', { projectId: 1 });
      await expect.poll(() => existsSync(started)).toBe(true);
      await host.close();
    });
    await expect.poll(() => isAlive(Number(readFileSync(started, 'utf8')))).toBe(false);
    expect(activeTokens()).toEqual(tokens);
    call('connect.startSelfTest', { projectId: 1 });
    await expect.poll(() => replies).toHaveLength(2);
    expect(replies[1]).toMatchObject({ ok: false, error: { code: 'shutting_down' } });
  },
);

it('answers the heartbeat of the desktop app', async () => {
  const { call, replies } = linkTo(new MethodHost(registry.registry, registry.server));
  call('server.status', {}, 'app');
  await expect.poll(() => replies).toHaveLength(1);
  expect(replies[0]).toMatchObject({ ok: true, value: { origin: registry.server.origin } });
});

it('names every address at which clients reach it where it listens on all of them', async () => {
  expect(registry.server.origins).toEqual([registry.server.origin]);
  const open = await TestRegistry.start({ host: '0.0.0.0' });
  try {
    const { origin, origins } = open.server;
    expect(origins[0]).toBe(origin);
    const outer = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    expect(origins).toHaveLength(1 + new Set(outer.map(({ address }) => address)).size);
    for (const each of origins) expect((await fetch(`${each}/api/v4/projects/1/packages/npm/-/ping`)).status).toBe(200);
  } finally {
    await open.stop();
  }
});
