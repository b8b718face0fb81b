import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

/** `npm run release -- 0.2.0` in the project's folder; `--notes` prints what CHANGELOG.md says of the version in package.json. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { notes: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [version] = positionals;
  if (values.notes) process.stdout.write(`${notesOf(readFileSync('CHANGELOG.md', 'utf8'), currentVersion())}\n`);
  else if (version === undefined) throw new Error('Name the version, as in "npm run release -- 0.2.0".');
  else await release(version);
}

function currentVersion(): string {
  return (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;
}

/**
 * Writes the version into manifest, lock and change log, keeps a data folder of it for the tests, commits that and tags the commit. Throws an
 * Error before anything is written.
 */
async function release(version: string): Promise<void> {
  // The notes are printed where nothing is installed.
  const { default: semver } = await import('semver');
  const current = currentVersion();
  if (semver.valid(version) !== version) throw new Error(`"${version}" is not a version like 0.2.0.`);
  if (semver.lt(version, current)) throw new Error(`${version} is older than ${current}.`);
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`There is a tag v${version} already.`);
  if (git('status', '--porcelain') !== '') throw new Error('There are changes that are not committed.');
  const log = closeUnreleased(readFileSync('CHANGELOG.md', 'utf8'), version, new Date());

  // First, as it starts a server and can fail.
  const keeper = path.join(import.meta.dirname, '../test/support/released-folder.ts');
  execFileSync(process.execPath, [keeper, version], { stdio: 'inherit' });
  writeFileSync('CHANGELOG.md', log);
  const manifest = readFileSync('package.json', 'utf8');
  writeFileSync('package.json', manifest.replace(`"version": "${current}"`, `"version": "${version}"`));
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    version: string;
    packages: { '': { version: string } };
  };
  lock.version = version;
  lock.packages[''].version = version;
  writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
  git('add', '--all');
  git('commit', '--quiet', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Gatehouse ${version}`);
  console.log(
    `${version} is committed and tagged. "git push --follow-tags" starts the workflow that drafts the release.`,
  );
}

const unreleased = '## Unreleased\n';

/** Gives what is listed as unreleased its version and date. Throws an Error if there is nothing. */
function closeUnreleased(log: string, version: string, date: Date): string {
  if (section(log, unreleased) === '') throw new Error('CHANGELOG.md lists nothing under "Unreleased".');
  return log.replace(unreleased, `${unreleased}\n## ${version} - ${date.toISOString().slice(0, 10)}\n`);
}

function notesOf(log: string, version: string): string {
  const heading = log.split(/^(?=## )/m).find((part) => part.startsWith(`## ${version} - `));
  if (heading === undefined) throw new Error(`CHANGELOG.md has no section for ${version}.`);
  return section(log, heading.slice(0, heading.indexOf('\n') + 1));
}

/** The text below a heading, up to the next of its kind. */
function section(log: string, heading: string): string {
  const start = log.indexOf(heading);
  if (start === -1) return '';
  const text = log.slice(start + heading.length);
  const end = text.search(/^## /m);
  return (end === -1 ? text : text.slice(0, end)).trim();
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
