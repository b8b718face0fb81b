import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { projectFolder } from './build.ts';

interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** What did not pass, by name. */
  readonly names: readonly string[];
  /** What passed only when it was tried again, by name. */
  readonly flaky: readonly string[];
}

interface Suite {
  readonly command: readonly string[];
  /** Counts its JSON report. A command without a report is one check. */
  readonly count?: (report: never) => Tally;
  /** Beside the suites after it, as it mostly waits; or with nothing beside it, as it measures or exhausts the machine. */
  readonly runs?: 'beside' | 'exclusively';
}

/**
 * Each suite by the name that `npm test -- NAME` takes, in the order in which all of them run. They share the machine: a test that failed is
 * tried once more, and named at the end.
 */
const suites: Readonly<Record<string, Suite>> = {
  types: npmRun('typecheck'),
  lint: npmRun('lint'),
  format: npmRun('format:check'),
  'dead-code': npmRun('dead-code'),
  e2e: {
    command: ['playwright', 'test', '--retries=1', '--reporter=list,json'],
    count: countPlaywright,
    runs: 'beside',
  },
  unit: vitest('unit', 'window'),
  conformance: vitest('conformance'),
  upstream: vitest('upstream'),
  clients: vitest('clients'),
  fuzz: vitest('fuzz'),
  faults: vitest('faults'),
  load: { ...vitest('load'), runs: 'exclusively' },
  // The packed app is checked in the layout that it has on Linux.
  ...(process.platform === 'linux' ? { package: { ...vitest('package'), runs: 'exclusively' } } : {}),
};

function npmRun(script: string): Suite {
  return { command: ['npm', 'run', '--silent', script] };
}

function vitest(...projects: readonly string[]): Suite {
  const selection = projects.map((project) => `--project=${project}`);
  return {
    command: ['vitest', 'run', ...selection, '--retry=1', '--reporter=default', '--reporter=json'],
    count: countVitest,
  };
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numTotalTests: number;
  readonly testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages?: string[] | null }[];
  }[];
}

/** What did not pass has failed: skipped tests too, and files that broke before their first test. */
function countVitest({ numPassedTests: passed, numTotalTests, testResults }: VitestReport): Tally {
  const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const named = (file: string, name: string, why: string) =>
    `${path.relative(projectFolder, file)} › ${name}: ${summaryOf(why)}`;
  const tests = testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ status, fullName, failureMessages }) => ({
      status,
      // What failed first stays noted where the second try passes.
      hasFailed: (failureMessages ?? []).length > 0,
      name: named(file, fullName, failureMessages?.[0] ?? status),
    })),
  );
  const failures = tests.filter(({ status }) => status !== 'passed').map(({ name }) => name);
  return {
    passed,
    failed: numTotalTests - passed + broken.length,
    names: [...broken.map((file) => named(file.name, 'the file', file.message)), ...failures],
    flaky: tests.filter(({ status, hasFailed }) => status === 'passed' && hasFailed).map(({ name }) => name),
  };
}

interface PlaywrightSuite {
  readonly suites?: PlaywrightSuite[];
  readonly specs: {
    file: string;
    title: string;
    tests: { status: string; results: { error?: { message?: string } }[] }[];
  }[];
}

interface PlaywrightReport extends Omit<PlaywrightSuite, 'specs'> {
  readonly stats: Record<string, number>;
  readonly errors: { message?: string }[];
}

function countPlaywright({ stats, errors, suites: files = [] }: PlaywrightReport): Tally {
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = stats;
  const namesIn = (suite: PlaywrightSuite, isMeant: (status: string) => boolean): string[] => [
    ...(suite.suites ?? []).flatMap((inner) => namesIn(inner, isMeant)),
    ...suite.specs.flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => isMeant(status))
        .map(({ status, results }) => `${file} › ${title}: ${summaryOf(results[0]?.error?.message ?? status)}`),
    ),
  ];
  const failures = files.flatMap((file) => namesIn(file, (status) => !['expected', 'flaky'].includes(status)));
  return {
    passed: expected + flaky,
    failed: unexpected + skipped + errors.length,
    names: [...failures, ...errors.map(({ message = '' }) => summaryOf(message))],
    flaky: files.flatMap((file) => namesIn(file, (status) => status === 'flaky')),
  };
}

/** Of a message for a terminal: what stands before the stack. */
function summaryOf(text: string): string {
  const lines = stripVTControlCharacters(text).split('\n');
  const stack = lines.findIndex((line) => /^\s+at /.test(line));
  const said = lines.slice(0, stack === -1 ? undefined : stack).filter((line) => line.trim() !== '');
  return said
    .slice(0, 8)
    .map((line) => line.slice(0, 300))
    .join('\n    ');
}

async function runSuite(name: string, { command, count, runs }: Suite, rest: readonly string[]): Promise<Tally> {
  console.log(`\n== ${name}`);
  const started = performance.now();
  const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-report-'));
  const report = path.join(folder, 'report.json');
  const output = command[0] === 'vitest' ? [`--outputFile.json=${report}`] : [];
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const succeeded = await run([...command, ...output, ...rest], env, runs === 'beside');
  const text = count ? await readFile(report, 'utf8').catch(() => null) : null;
  await rm(folder, { recursive: true, force: true });
  const counted: Tally =
    count && text !== null ? count(JSON.parse(text) as never) : { passed: 0, failed: 0, names: [], flaky: [] };
  let { passed, failed } = counted;
  if (!count && succeeded) passed = 1;
  // A check that failed, a runner without a report, or an error outside of the tests.
  if (failed === 0 && (!succeeded || passed === 0)) failed = 1;
  console.log(
    `== ${name}: ${passed} passed, ${failed} failed in ${Math.round((performance.now() - started) / 1000)} s`,
  );
  const names = counted.names.length === 0 && failed > 0 ? ['see its output'] : counted.names;
  const named = (each: string) => `${name}: ${each}`;
  return { passed, failed, names: names.map(named), flaky: counted.flaky.map(named) };
}

/** Runs a command; with `later`, its output comes at its end instead of between that of others. */
function run([command = '', ...args]: readonly string[], env: NodeJS.ProcessEnv, later: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: projectFolder,
      env: { ...process.env, ...env },
      stdio: later ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      shell: process.platform === 'win32',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
    child.on('error', () => resolve(false));
    child.on('close', (code) => {
      process.stdout.write(output);
      resolve(code === 0);
    });
  });
}

/** `npm test` runs every suite; `npm test -- e2e security` runs one, with the rest passed on to its runner. */
const [only, ...rest] = process.argv.slice(2);
const chosen = Object.entries(suites).filter(([name]) => only === undefined || name === only);
if (chosen.length === 0) {
  console.error(`There is no suite "${only}". The suites are: ${Object.keys(suites).join(', ')}.`);
  process.exit(2);
}
const tallies: Promise<Tally>[] = [];
for (const [name, suite] of chosen) {
  if (suite.runs === 'exclusively') await Promise.all(tallies);
  const tally = runSuite(name, only === undefined ? suite : { ...suite, runs: 'exclusively' }, rest);
  tallies.push(tally);
  if (suite.runs !== 'beside') await tally;
}
const all = await Promise.all(tallies);
const passed = all.reduce((sum, tally) => sum + tally.passed, 0);
const failed = all.reduce((sum, tally) => sum + tally.failed, 0);
// The end of a long output is what is read first.
const names = all.flatMap((tally) => tally.names);
const flaky = all.flatMap((tally) => tally.flaky);
if (flaky.length > 0) console.log(`\nPassed only when tried again:\n${flaky.join('\n')}`);
if (names.length > 0) console.log(`\nFailed:\n${names.join('\n')}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
