import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listPackage, statFile } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { build, Platform, type Configuration } from 'electron-builder';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { oldestNode } from '../../server/contract/node-version.ts';
import { dropEmptySecrets, releaseAddress, releaseConfiguration } from '../../scripts/pack-desktop.ts';
import { freePort } from '../support/free-port.ts';
import { runCommand } from '../support/run-command.ts';

/**
 * Packs the built app with the Electron at hand and looks at the result from outside, as it is shipped: Playwright cannot attach to it,
 * because the fuse for inspection is off. Run by `npm test -- package`, which builds the app and names the Electron.
 */
const projectFolder = path.resolve(import.meta.dirname, '../..');
let output: string;
let app: string;
/** Takes no Electron from elsewhere, and puts everything into `output`. */
let surroundings: Configuration;

beforeAll(async () => {
  output = await mkdtemp(path.join(tmpdir(), 'gatehouse-package-'));
  const electronDist = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (electronDist === undefined) throw new Error('Run this suite with "npm test -- package".');
  const electronVersion = (await readFile(path.join(electronDist, 'version'), 'utf8')).trim().replace(/^v/, '');
  surroundings = { directories: { output }, electronDist, electronVersion };
  await build({
    projectDir: projectFolder,
    targets: Platform.current().createTarget('dir'),
    config: { ...releaseConfiguration(null), ...surroundings },
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
    const fuses = await getCurrentFuseWire(path.join(app, 'gatehouse-desktop'));
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

  it('notes in its archive what each file must be, those beside the archive included', async () => {
    const archive = path.join(app, 'resources/app.asar');
    for (const file of listPackage(archive, { isPack: false })) {
      const found = statFile(archive, file.slice(1));
      if (!('integrity' in found)) continue;
      expect(found.integrity, file).toMatchObject({ algorithm: 'SHA256' });
      if (!found.unpacked) continue;
      const bytes = await readFile(path.join(app, 'resources/app.asar.unpacked', file));
      expect(createHash('sha256').update(bytes).digest('hex'), file).toBe(found.integrity?.hash);
    }
  });

  it('carries the licences of what it contains', async () => {
    const notices = await readFile(path.join(app, 'resources/THIRD-PARTY-NOTICES.md'), 'utf8');
    for (const name of [
      'better-sqlite3',
      'electron-updater',
      'express',
      'react',
      '@mantine/core',
      '@fontsource-variable/inter',
    ])
      expect(notices).toMatch(new RegExp(`^## ${name} \\d+\\.\\d+\\.\\d+\\n\\nLicense: \\S`, 'm'));
    for (const file of ['resources/LICENSE', 'LICENSE.electron.txt', 'LICENSES.chromium.html'])
      await access(path.join(app, file));
  });

  it('brings the command, which runs on the Node beside it from wherever it is linked', async () => {
    const links = path.join(output, 'links');
    await mkdir(links);
    await symlink(path.join(app, 'resources/bin/gatehouse'), path.join(output, 'first-link'));
    await symlink('../first-link', path.join(links, 'gatehouse'));
    const command = path.join(links, 'gatehouse');
    const { version } = JSON.parse(await readFile(path.join(projectFolder, 'package.json'), 'utf8')) as {
      version: string;
    };
    const env = { PATH: '/usr/bin:/bin', GATEHOUSE_NODE: process.execPath, HOME: output };
    const timeLimit = 30_000;
    expect(await runCommand(command, ['--version'], { env, timeLimit })).toMatchObject({
      code: 0,
      output: `${version}\n`,
    });
    const lacking = await runCommand(command, ['--version'], {
      env: { ...env, GATEHOUSE_NODE: 'no-such-node' },
      timeLimit,
    });
    expect(lacking).toMatchObject({
      code: 1,
      output: expect.stringContaining(`Install Node.js ${oldestNode.replace(/\.0$/, '')} or newer`) as string,
    });
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
    const child = spawn(path.join(app, 'gatehouse-desktop'), ['--version'], {
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

describe('a release for Linux', () => {
  interface Prepared {
    readonly fpm: string[];
    readonly desktopEntries: string[];
  }
  let prepared: Prepared;

  beforeAll(async () => {
    prepared = { fpm: [], desktopEntries: [] };
    await build({
      projectDir: projectFolder,
      targets: Platform.LINUX.createTarget(['deb', 'AppImage']),
      config: { ...releaseConfiguration(releaseAddress('github:acme/gatehouse')), ...surroundings },
      prepackaged: app,
      publish: 'never',
      // Stands in for fpm and mksquashfs, which electron-builder downloads: what they would get is looked at.
      effectiveOptionComputed: async (options: [string[], string] | { desktop: string }) => {
        if (Array.isArray(options)) prepared.fpm.push(...options[0]);
        prepared.desktopEntries.push(Array.isArray(options) ? await readFile(options[1], 'utf8') : options.desktop);
        return true;
      },
    });
  });

  it('says to the desktop what it is, which windows are its own and which links it opens', () => {
    const common = {
      Name: 'Gatehouse',
      Type: 'Application',
      Terminal: 'false',
      Icon: 'gatehouse-desktop',
      StartupWMClass: 'gatehouse-desktop',
      Comment: "Hosts an npm registry and speaks GitLab's package and protected environment APIs",
      MimeType: 'x-scheme-handler/gatehouse;',
      Categories: 'Development;',
      Keywords: 'npm;registry;packages;GitLab;',
    };
    const entries = prepared.desktopEntries.map((text) =>
      Object.fromEntries(
        text
          .split('\n')
          .flatMap((line) => [/^(\w+)=(.*)$/.exec(line)?.slice(1) ?? []].filter((pair) => pair.length > 0)),
      ),
    );
    expect(entries).toHaveLength(2);
    for (const entry of entries) expect(entry).toMatchObject(common);
    // Neither turns Chromium's sandbox off.
    expect(entries.map((entry) => String(entry['Exec'])).toSorted()).toEqual([
      '/opt/Gatehouse/gatehouse-desktop %U',
      'AppRun %U',
    ]);
  });

  it('installs the app, the command, the desktop entry and an icon of each size', async () => {
    const files = prepared.fpm.flatMap((argument) => /^(\S+)=(\/\S+)$/.exec(argument)?.slice(1, 3) ?? []);
    const targets = files.filter((_, index) => index % 2 === 1);
    const sizes = [16, 24, 32, 48, 64, 128, 256, 512];
    expect(targets.toSorted()).toEqual(
      [
        '/opt/Gatehouse',
        '/usr/bin/gatehouse',
        '/usr/share/applications/gatehouse-desktop.desktop',
        ...sizes.map((size) => `/usr/share/icons/hicolor/${size}x${size}/apps/gatehouse-desktop.png`),
      ].toSorted(),
    );
    const command = files[targets.indexOf('/usr/bin/gatehouse') * 2] ?? '';
    expect(await readFile(path.join(projectFolder, command), 'utf8')).toContain(
      'exec /opt/Gatehouse/resources/bin/gatehouse',
    );
    expect(prepared.fpm.join(' ')).toContain('--name gatehouse --maintainer');
  });

  it('knows where its updates are, and that it came as a Debian package', async () => {
    const updates = parse(await readFile(path.join(app, 'resources/app-update.yml'), 'utf8')) as object;
    expect(updates).toMatchObject({ provider: 'github', owner: 'acme', repo: 'gatehouse' });
    expect(await readFile(path.join(app, 'resources/package-type'), 'utf8')).toBe('deb');
  });
});

test('where a release looks for updates is a repository or an https address, and nothing else', () => {
  expect(releaseAddress('')).toBeNull();
  expect(releaseAddress('https://example.test/gatehouse/')).toEqual({
    publish: { provider: 'generic', url: 'https://example.test/gatehouse/' },
    homepage: 'https://example.test/gatehouse/',
  });
  for (const wrong of ['http://example.test/', 'github:acme', 'acme/gatehouse', 'file:///tmp'])
    expect(() => releaseAddress(wrong)).toThrow('GATEHOUSE_PUBLISH');
});

test('a release without certificates is not signed, instead of failing for an empty one', () => {
  const environment = { CSC_LINK: '', CSC_KEY_PASSWORD: '', APPLE_ID: '', WIN_CSC_LINK: 'given', PATH: '' };
  dropEmptySecrets(environment);
  expect(environment).toEqual({ WIN_CSC_LINK: 'given', PATH: '' });
});

function startPackedApp(port: number): ChildProcess {
  const { ELECTRON_RUN_AS_NODE: _dropped, ...inherited } = process.env;
  const switches = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return spawn(path.join(app, 'gatehouse-desktop'), [...switches, `--user-data-dir=${path.join(output, 'user')}`], {
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
