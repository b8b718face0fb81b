import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { UpdateState } from '../../../server/contract/updates.ts';
import { Updater } from './updater.ts';

const bytes = Buffer.alloc(300_000, 'gatehouse');
const sha512 = createHash('sha512').update(bytes).digest('base64');

let base: string;
let server: Server;
let feed: string;
let answers: Record<string, RequestListener>;

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'gatehouse-updates-'));
  answers = {
    '/latest-linux.yml': (_request, response) => void response.end(feedText()),
    '/Gatehouse.AppImage': (_request, response) => void response.end(bytes),
  };
  server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  feed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(base, { recursive: true });
});

function feedText(file: object = {}): string {
  return stringify({ version: '0.2.0', files: [{ url: 'Gatehouse.AppImage', sha512, size: bytes.length, ...file }] });
}

function makeUpdater(more: { chosenFeed?: string | null; appImage?: string; version?: string } = {}) {
  const states: UpdateState[] = [];
  const updater = new Updater({
    target: { platform: 'linux', arch: 'x64' },
    version: more.version ?? '0.1.0',
    chosenFeed: () => (more.chosenFeed === undefined ? feed : more.chosenFeed),
    builtInFeed: null,
    appImage: more.appImage ?? null,
    folder: path.join(base, 'updates'),
    fetch,
    now: () => 42,
  });
  updater.onChange(({ state }) => states.push(state));
  return { updater, states, phases: () => [...new Set(states.map(({ phase }) => phase))] };
}

describe('looking for a newer version', () => {
  it('asks nobody without an address', async () => {
    const { updater, states } = makeUpdater({ chosenFeed: null });
    await updater.check();
    expect(states).toEqual([]);
    expect(updater.updates).toEqual({
      state: { phase: 'unknown' },
      feed: null,
      builtInFeed: null,
      canReplaceItself: false,
    });
  });

  it('finds none', async () => {
    const { updater, states } = makeUpdater({ version: '0.2.0' });
    await updater.check();
    expect(states).toEqual([{ phase: 'checking' }, { phase: 'newest', checkedAt: 42 }]);
  });

  it('finds one and downloads nothing', async () => {
    const { updater, states } = makeUpdater();
    await updater.check();
    expect(states.at(-1)).toMatchObject({ phase: 'available', offer: { version: '0.2.0', size: bytes.length } });
    await expect(readdir(path.join(base, 'updates'))).rejects.toThrow('ENOENT');
  });

  it('tells of a feed that is not there', async () => {
    answers = {};
    const { updater, states } = makeUpdater();
    await updater.check();
    expect(states.at(-1)).toMatchObject({
      phase: 'failed',
      offer: null,
      cause: `${feed}latest-linux.yml answered 404 Not Found.`,
    });
  });

  it('tells of a machine that cannot be reached', async () => {
    server.close();
    await once(server, 'close');
    const { updater, states } = makeUpdater();
    await updater.check();
    expect(states.at(-1)).toMatchObject({ phase: 'failed', cause: expect.stringContaining('could not be reached') });
  });

  it('tells of something else than a feed', async () => {
    answers['/latest-linux.yml'] = (_request, response) => void response.end('<p>Hello');
    const { updater, states } = makeUpdater();
    await updater.check();
    expect(states.at(-1)).toMatchObject({ phase: 'failed', cause: expect.stringContaining('no feed') });
  });

  it('does not read on in something endless', async () => {
    answers['/latest-linux.yml'] = (_request, response) => {
      const more = (): void => void (response.destroyed || response.write(Buffer.alloc(65_536), more));
      more();
    };
    const { updater, states } = makeUpdater();
    await updater.check();
    expect(states.at(-1)).toMatchObject({ phase: 'failed', cause: expect.stringContaining('too large') });
  });

  it('goes back to what was known when it is stopped', async () => {
    const { updater, phases } = makeUpdater();
    answers['/latest-linux.yml'] = () => void updater.stop();
    await updater.check();
    expect(phases()).toEqual(['checking', 'unknown']);
  });
});

describe('downloading it', () => {
  it('keeps the file once it is what the feed says', async () => {
    const { updater, phases } = makeUpdater();
    await updater.check();
    await updater.download();
    expect(phases()).toEqual(['checking', 'available', 'downloading', 'downloaded']);
    const file = path.join(base, 'updates/Gatehouse.AppImage');
    expect(updater.updates.state).toMatchObject({ phase: 'downloaded', file, installsOnQuit: false });
    expect(await readFile(file)).toEqual(bytes);
  });

  it('is still there after the next check', async () => {
    const { updater } = makeUpdater();
    await updater.check();
    await updater.download();
    const before = updater.updates.state;
    await updater.check();
    expect(updater.updates.state).toEqual(before);
  });

  it.each([
    ['other bytes', Buffer.alloc(bytes.length, 'x')],
    ['more of them', Buffer.concat([bytes, bytes])],
    ['fewer of them', bytes.subarray(1)],
  ])('refuses %s and keeps nothing', async (_what, served) => {
    answers['/Gatehouse.AppImage'] = (_request, response) => void response.end(served);
    const { updater, states } = makeUpdater();
    await updater.check();
    await updater.download();
    expect(states.at(-1)).toMatchObject({
      phase: 'failed',
      offer: { version: '0.2.0' },
      cause: expect.stringContaining('is not the file that the feed describes'),
    });
    await expect(readdir(path.join(base, 'updates'))).rejects.toThrow('ENOENT');
  });

  it('tells of a line that broke, and can be tried again', async () => {
    const whole = answers['/Gatehouse.AppImage'] as RequestListener;
    answers['/Gatehouse.AppImage'] = (_request, response) => {
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(bytes.subarray(0, 1_000), () => response.destroy());
    };
    const { updater, states } = makeUpdater();
    await updater.check();
    await updater.download();
    expect(states.at(-1)).toMatchObject({ phase: 'failed', cause: expect.stringContaining('stopped in the middle') });
    answers['/Gatehouse.AppImage'] = whole;
    await updater.download();
    expect(states.at(-1)).toMatchObject({ phase: 'downloaded' });
  });

  it('goes back to the offer when it is stopped, and keeps nothing', async () => {
    const { updater, phases } = makeUpdater();
    answers['/Gatehouse.AppImage'] = (_request, response) => {
      response.write(bytes.subarray(0, 100_000), () => void updater.stop());
    };
    await updater.check();
    await updater.download();
    expect(phases()).toEqual(['checking', 'available', 'downloading']);
    expect(updater.updates.state.phase).toBe('available');
    await expect(readdir(path.join(base, 'updates'))).rejects.toThrow('ENOENT');
  });
});

describe('installing it', () => {
  async function downloaded() {
    const appImage = path.join(base, 'Gatehouse.AppImage');
    await writeFile(appImage, 'the old one', { mode: 0o755 });
    const { updater } = makeUpdater({ appImage });
    await updater.check();
    await updater.download();
    return { appImage, updater };
  }

  it('takes the place of the AppImage when the app quits', async () => {
    const { appImage, updater } = await downloaded();
    expect(updater.installOnQuit(true)).toEqual({ ok: true, value: true });
    await updater.quit();
    expect(await readFile(appImage)).toEqual(bytes);
    expect((await stat(appImage)).mode & 0o777).toBe(0o755);
    expect((await readdir(base)).sort()).toEqual(['Gatehouse.AppImage', 'updates']);
  });

  it('is not done unless it was asked for', async () => {
    const { appImage, updater } = await downloaded();
    updater.installOnQuit(true);
    updater.installOnQuit(false);
    await updater.quit();
    expect(await readFile(appImage, 'utf8')).toBe('the old one');
  });

  it('is not done with a file that was changed meanwhile', async () => {
    const { appImage, updater } = await downloaded();
    updater.installOnQuit(true);
    await writeFile(path.join(base, 'updates/Gatehouse.AppImage'), 'something else');
    await expect(updater.quit()).rejects.toThrow('was changed');
    expect(await readFile(appImage, 'utf8')).toBe('the old one');
    expect((await readdir(base)).sort()).toEqual(['Gatehouse.AppImage', 'updates']);
  });

  it('is refused where the app cannot replace itself', async () => {
    const { updater } = makeUpdater();
    await updater.check();
    await updater.download();
    expect(updater.installOnQuit(true)).toMatchObject({ ok: false });
  });

  it('is forgotten with the feed that it came from', async () => {
    const { appImage, updater } = await downloaded();
    updater.installOnQuit(true);
    await updater.forget();
    expect(updater.updates.state).toEqual({ phase: 'unknown' });
    await updater.quit();
    expect(await readFile(appImage, 'utf8')).toBe('the old one');
  });
});
