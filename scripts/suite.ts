import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectFolder } from './folders.ts';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/** A command whose exit code is the whole answer: one check, passed or failed. */
export async function runCheck(command: string, args: readonly string[]): Promise<Tally> {
  return (await run(command, args, process.env)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** What desktop suites run in: `wrapper` is put in front of the command (a virtual display). */
export interface Desktop {
  readonly wrapper: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

const noDesktop: Desktop = { wrapper: [], env: process.env };

/** Runs Vitest projects and counts their tests. */
export async function runVitest(
  projects: readonly string[],
  rest: readonly string[] = [],
  desktop: Desktop = noDesktop,
): Promise<Tally> {
  return withReport(async (report) => {
    const selection = projects.flatMap((project) => ['--project', project]);
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const [command = '', ...args] = [...desktop.wrapper, 'vitest', 'run', ...selection, ...reporters, ...rest];
    const code = await run(command, args, desktop.env);
    return { code, tally: tallyVitest };
  });
}

/** Runs Playwright's tests and counts them. */
export async function runPlaywright(desktop: Desktop, rest: readonly string[] = []): Promise<Tally> {
  return withReport(async (report) => {
    const [command = '', ...args] = [...desktop.wrapper, 'playwright', 'test', '--reporter=list,json', ...rest];
    const code = await run(command, args, { ...desktop.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report });
    return { code, tally: tallyPlaywright };
  });
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/** Counts Vitest's JSON report. A file that fell before its first test is one failure, and so is every test that was skipped. */
export function tallyVitest(json: unknown): Tally {
  const report = json as VitestReport;
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numPendingTests + report.numTodoTests + brokenFiles.length,
  };
}

interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
  readonly errors: readonly unknown[];
}

/** Counts Playwright's JSON report. What was skipped or passed only at a second try has failed. */
export function tallyPlaywright(json: unknown): Tally {
  const { stats, errors } = json as PlaywrightReport;
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped + errors.length };
}

async function withReport(
  suite: (report: string) => Promise<{ code: number; tally: (json: unknown) => Tally }>,
): Promise<Tally> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-report-'));
  try {
    const report = path.join(folder, 'report.json');
    const { code, tally } = await suite(report);
    const text = await readFile(report, 'utf8').catch(() => null);
    const counted = text === null ? { passed: 0, failed: 1 } : tally(JSON.parse(text));
    // A runner that fails although every test passed (an error between tests) is a failure too.
    return code !== 0 && counted.failed === 0 ? { ...counted, failed: 1 } : counted;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: projectFolder,
      env: { ...env, PATH: withLocalBinaries(env['PATH']) },
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    child.on('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

function withLocalBinaries(inherited = ''): string {
  return [path.join(projectFolder, 'node_modules/.bin'), inherited].join(path.delimiter);
}
