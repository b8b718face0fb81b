import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { formatPage, releasedFolders } from '../test/support/released-folder.ts';
import { runCommand } from '../test/support/run-command.ts';

const projectFolder = path.resolve(import.meta.dirname, '..');
const files = ['package.json', 'package-lock.json', 'CHANGELOG.md'];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-release-'));
  for (const file of files) copyFileSync(path.join(projectFolder, file), path.join(folder, file));
  writeFileSync(
    path.join(folder, 'CHANGELOG.md'),
    '# Changelog\n\n## Unreleased\n\n### Added\n\n- Bells.\n\n## 0.0.1 - 2026-01-02\n\n- Old.\n',
  );
  cpSync(path.join(projectFolder, formatPage), path.join(folder, formatPage));
  git('init', '--quiet', '--initial-branch=main');
  for (const [name, value] of Object.entries({
    'user.name': 'Test',
    'user.email': 'test@example.test',
    'commit.gpgsign': 'false',
    'tag.gpgsign': 'false',
  }))
    git('config', name, value);
  git('add', '.');
  git('commit', '--quiet', '--message', 'Start');
});
// A release starts a registry.
vi.setConfig({ testTimeout: 60_000 });
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
}

function read(file: string): string {
  return readFileSync(path.join(folder, file), 'utf8');
}

function release(...args: string[]) {
  return runCommand(process.execPath, [path.join(import.meta.dirname, 'release.ts'), ...args], {
    cwd: folder,
    timeLimit: 30_000,
  });
}

test('a release changes the version and the heading, keeps a data folder, and changes nothing else, in one tagged commit', async () => {
  const before = files.map(read);
  const current = (JSON.parse(read('package.json')) as { version: string }).version;
  expect(await release('99.1.0')).toMatchObject({ code: 0 });
  const [manifest = '', lock = '', log = ''] = files.map(read);
  const today = /^## 99\.1\.0 - (\d{4}-\d\d-\d\d)$/m.exec(log)?.[1] ?? '';
  expect(Date.parse(today)).toBeLessThanOrEqual(Date.now());
  expect(log.replace(`## 99.1.0 - ${today}\n\n`, '')).toBe(before[2]);
  expect(manifest.replace('"version": "99.1.0"', `"version": "${current}"`)).toBe(before[0]);
  expect(lock.replaceAll('"version": "99.1.0"', `"version": "${current}"`)).toBe(before[1]);
  expect(lock.match(/"version": "99\.1\.0"/g)).toHaveLength(2);
  expect(git('status', '--porcelain')).toBe('');
  expect(git('ls-tree', '-r', '--name-only', 'HEAD', releasedFolders)).toBe(`${releasedFolders}/99.1.0.tar.gz`);
  expect(read(formatPage)).toMatch(/^\| 0\.1\.0 .*\n\| 99\.1\.0 +\| \d+ +\| \d+ +\|\n\n/m);
  expect(git('log', '-1', '--format=%s')).toBe('Release 99.1.0');
  expect(git('rev-parse', 'v99.1.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
  expect((await release('--notes')).output).toBe('### Added\n\n- Bells.\n');
});

test.each([
  ['no version', [], /Name the version/],
  ['what is not a version', ['next'], /not a version/],
  ['an older version', ['0.0.1'], /is older than/],
  ['a version that has a tag', ['98.0.0'], /There is a tag v98\.0\.0/],
])('%s is refused, and nothing is changed', async (_what, args, reason) => {
  git('tag', 'v98.0.0');
  const head = git('rev-parse', 'HEAD');
  const { code, output } = await release(...args);
  expect(code).toBe(1);
  expect(output).toMatch(reason);
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain')]).toEqual([head, '']);
});

test('changes that are not committed, and a change log without changes, are refused', async () => {
  writeFileSync(path.join(folder, 'note.txt'), 'x');
  expect(await release('99.0.0')).toMatchObject({ code: 1, output: 'There are changes that are not committed.\n' });
  rmSync(path.join(folder, 'note.txt'));
  writeFileSync(path.join(folder, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n## 0.0.1 - 2026-01-02\n\n- Old.\n');
  git('commit', '--quiet', '--all', '--message', 'Empty');
  expect(await release('99.0.0')).toMatchObject({
    code: 1,
    output: expect.stringContaining('lists nothing') as string,
  });
  expect(git('tag')).toBe('');
});
