import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { build, Platform } from 'electron-builder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../support/free-port.ts';

/**
 * Packs the built app with the Electron at hand and looks at the result from outside, as it is shipped: Playwright cannot attach to it,
 * because the fuse for inspection is off. Run by `npm test -- package`, which builds the app and names the Electron.
 */
const projectFolder = path.resolve(import.meta.dirname, '../..');
let output: string;
let app: string;

beforeAll(async () => {
  output = await mkdtemp(path.join(tmpdir(), 'gatehouse-package-'));
  const electronDist = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (electronDist === undefined) throw new Error('Run this suite with "npm test -- package".');
  const electronVersion = (await readFile(path.join(electronDist, 'version'), 'utf8')).trim().replace(/^v/, '');
  const written = parse(await readFile(path.join(projectFolder, 'electron-builder.yml'), 'utf8')) as object;
  await build({
    projectDir: projectFolder,
    targets: Platform.current().createTarget('dir'),
    config: { ...written, directories: { output }, electronDist, electronVersion },
    publish: 'never',
  });
  app = path.join(output, 'linux-unpacked');
  // The stand-in for default_app.asar of the npm-carried Electron, which a stock one does not have.
  await rm(path.join(app, 'resources/app'), { recursive: true, force: true });
});

afterAll(async () => {
  await rm(output, { recursive: true, force: true });
});

describe('the packed app', () => {
  it('has its fuses set', async () => {
    const fuses = await getCurrentFuseWire(path.join(app, 'gatehouse'));
    expect({
      runAsNode: fuses[FuseV1Options.RunAsNode],
      cookieEncryption: fuses[FuseV1Options.EnableCookieEncryption],
      nodeOptions: fuses[FuseV1Options.EnableNodeOptionsEnvironmentVariable],
      inspect: fuses[FuseV1Options.EnableNodeCliInspectArguments],
      integrity: fuses[FuseV1Options.EnableEmbeddedAsarIntegrityValidation],
      onlyAsar: fuses[FuseV1Options.OnlyLoadAppFromAsar],
      fileProtocol: fuses[FuseV1Options.GrantFileProtocolExtraPrivileges],
    }).toEqual({
      runAsNode: FuseState.DISABLE,
      cookieEncryption: FuseState.ENABLE,
      nodeOptions: FuseState.DISABLE,
      inspect: FuseState.DISABLE,
      integrity: FuseState.ENABLE,
      onlyAsar: FuseState.ENABLE,
      fileProtocol: FuseState.DISABLE,
    });
  });

  it('holds what it needs and nothing else', async () => {
    const entries = listPackage(path.join(app, 'resources/app.asar'), { isPack: false });
    expect(entries).toEqual(
      expect.arrayContaining([
        '/package.json',
        '/out/main/index.cjs',
        '/out/preload/index.cjs',
        '/out/renderer/index.html',
        '/out/server/gatehouse.js',
      ]),
    );
    const binaries = entries.filter((entry) => entry.endsWith('.node'));
    expect(binaries).toEqual([`/node_modules/better-sqlite3/prebuilds/${process.platform}-${process.arch}.node`]);
    expect(
      entries.filter((entry) => /\.(ts|tsx|map|c|cpp|gyp)$|^\/(server|electron|renderer|test)\//.test(entry)),
    ).toEqual([]);
    const modules = new Set(entries.flatMap((entry) => /^\/node_modules\/([^/]+)/.exec(entry)?.[1] ?? []));
    expect([...modules]).toEqual(['better-sqlite3']);
    await expect(access(path.join(app, 'resources/app-update.yml'))).rejects.toThrow('ENOENT');
  });

  it('serves headless with a Node beside it', async () => {
    const server = path.join(app, 'resources/app.asar.unpacked/out/server/gatehouse.js');
    const dataDir = path.join(output, 'headless');
    const child = spawn(process.execPath, [server, 'serve', '--data-dir', dataDir, '--port', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [text] = (await once(child.stdout, 'data')) as [Buffer];
    expect(text.toString()).toContain('serves at');
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
  });

  it('starts, serves, and takes its server along when it is told to end', async () => {
    const port = await freePort();
    const child = startPackedApp(port);
    const exited = once(child, 'exit');
    try {
      await expect.poll(() => answers(port), { timeout: 60_000, interval: 200 }).toBe(true);
      await access(path.join(output, 'data/gatehouse.db'));
    } finally {
      child.kill('SIGTERM');
    }
    expect((await exited)[0]).toBe(0);
    expect(await answers(port)).toBe(false);
  });

  it('refuses to be a Node', async () => {
    const child = spawn(path.join(app, 'gatehouse'), ['--version'], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const stopper = setTimeout(() => child.kill('SIGKILL'), 10_000);
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await once(child, 'exit');
    clearTimeout(stopper);
    expect(text).not.toContain('v2');
  });
});

function startPackedApp(port: number): ChildProcess {
  const { ELECTRON_RUN_AS_NODE: _dropped, ...inherited } = process.env;
  const switches = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return spawn(path.join(app, 'gatehouse'), [...switches, `--user-data-dir=${path.join(output, 'user')}`], {
    env: { ...inherited, GATEHOUSE_DATA_DIR: path.join(output, 'data'), GATEHOUSE_PORT: String(port) },
    stdio: 'ignore',
  });
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/-/readiness`).then(
    (answer) => answer.ok,
    () => false,
  );
}
