import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectFolder } from './build.ts';

interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/** A command, and how its JSON report is counted. A command without a report is one check. */
interface Suite {
  readonly command: readonly string[];
  readonly count?: (report: never) => Tally;
}

/** Each suite by the name that `npm test -- NAME` takes, in the order in which all of them run. */
const suites: Readonly<Record<string, Suite>> = {
  types: npmRun('typecheck'),
  lint: npmRun('lint'),
  format: npmRun('format:check'),
  'dead-code': npmRun('dead-code'),
  unit: vitest('unit', 'window'),
  conformance: vitest('conformance'),
  faults: vitest('faults'),
  fuzz: vitest('fuzz'),
  upstream: vitest('upstream'),
  clients: vitest('clients'),
  e2e: { command: ['playwright', 'test', '--reporter=list,json'], count: countPlaywright },
  // The packed app is checked in the layout that it has on Linux.
  ...(process.platform === 'linux' ? { package: vitest('package') } : {}),
};

function npmRun(script: string): Suite {
  return { command: ['npm', 'run', '--silent', script] };
}

function vitest(...projects: readonly string[]): Suite {
  const selection = projects.map((project) => `--project=${project}`);
  return { command: ['vitest', 'run', ...selection, '--reporter=default', '--reporter=json'], count: countVitest };
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numTotalTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/** What did not pass has failed: skipped tests too, and files that broke before their first test. */
function countVitest({ numPassedTests: passed, numTotalTests, testResults }: VitestReport): Tally {
  const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return { passed, failed: numTotalTests - passed + broken.length };
}

interface PlaywrightReport {
  readonly stats: Readonly<Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>>;
  readonly errors: readonly unknown[];
}

function countPlaywright({ stats, errors }: PlaywrightReport): Tally {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped + errors.length };
}

async function runSuite({ command, count }: Suite, rest: readonly string[]): Promise<Tally> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-report-'));
  try {
    const report = path.join(folder, 'report.json');
    const output = command[0] === 'vitest' ? [`--outputFile.json=${report}`] : [];
    const succeeded = await run([...command, ...output, ...rest], { PLAYWRIGHT_JSON_OUTPUT_FILE: report });
    if (!count) return { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1 };
    const text = await readFile(report, 'utf8').catch(() => null);
    const tally = text === null ? { passed: 0, failed: 1 } : count(JSON.parse(text) as never);
    // An error outside of the tests fails the suite, too.
    return !succeeded && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run([command = '', ...args]: readonly string[], env: Readonly<Record<string, string>>): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: projectFolder,
      env: { ...process.env, ...env },
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}

/** `npm test` runs every suite; `npm test -- e2e security` runs one, with the rest passed on to its runner. */
const [only, ...rest] = process.argv.slice(2);
const chosen = Object.entries(suites).filter(([name]) => only === undefined || name === only);
if (chosen.length === 0) {
  console.error(`There is no suite "${only}". The suites are: ${Object.keys(suites).join(', ')}.`);
  process.exit(2);
}
let total: Tally = { passed: 0, failed: 0 };
for (const [name, suite] of chosen) {
  console.log(`\n== ${name}`);
  const started = performance.now();
  const { passed, failed } = await runSuite(suite, rest);
  console.log(
    `== ${name}: ${passed} passed, ${failed} failed in ${Math.round((performance.now() - started) / 1000)} s`,
  );
  total = { passed: total.passed + passed, failed: total.failed + failed };
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
