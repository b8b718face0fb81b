import { stat } from 'node:fs/promises';
import path from 'node:path';
import { prepareDesktop } from './desktop.ts';
import { projectFolder } from './folders.ts';
import { runCheck, runPlaywright, runVitest, type Tally } from './suite.ts';

/** Each suite by the name that `npm test -- NAME` takes, in the order in which all of them run. */
const suites = {
  types: () => runCheck('npm', ['run', '--silent', 'typecheck']),
  lint: () => runCheck('npm', ['run', '--silent', 'lint']),
  format: () => runCheck('npm', ['run', '--silent', 'format:check']),
  'dead-code': () => runCheck('npm', ['run', '--silent', 'dead-code']),
  unit: (rest) => runVitest(['unit', 'window'], rest),
  conformance: (rest) => runVitest(['conformance'], rest),
  faults: (rest) => runVitest(['faults'], rest),
  fuzz: (rest) => runVitest(['fuzz'], rest),
  upstream: (rest) => runVitest(['upstream'], rest),
  clients: async (rest) => {
    await installClients();
    return runVitest(['clients'], rest);
  },
  e2e: async (rest) => runPlaywright(await prepareDesktop(), rest),
  package: async (rest) => runVitest(['package'], rest, await prepareDesktop()),
} satisfies Record<string, (rest: readonly string[]) => Promise<Tally>>;

type SuiteName = keyof typeof suites;

/**
 * `npm test` runs every suite; `npm test -- e2e security` runs one, with the rest passed on to its runner. The last line adds up all of them.
 */
async function test(names: readonly SuiteName[], rest: readonly string[]): Promise<Tally> {
  let total: Tally = { passed: 0, failed: 0 };
  for (const name of names) {
    console.log(`\n== ${name}`);
    const tally = await suites[name](rest).catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      return { passed: 0, failed: 1 };
    });
    console.log(`== ${name}: ${tally.passed} passed, ${tally.failed} failed`);
    total = { passed: total.passed + tally.passed, failed: total.failed + tally.failed };
  }
  return total;
}

/** The real package managers live in a folder of their own, where their names shadow nothing. */
async function installClients(): Promise<void> {
  const folder = path.join(projectFolder, 'test/clients');
  const [wanted, installed] = await Promise.all(
    ['package-lock.json', 'node_modules/.package-lock.json'].map((file) => changedAt(path.join(folder, file))),
  );
  if (installed !== undefined && wanted !== undefined && installed >= wanted) return;
  const { failed } = await runCheck('npm', ['ci', '--prefix', folder]);
  if (failed > 0) throw new Error('The package managers of test/clients could not be installed.');
}

/** When a file was last written, in milliseconds since 1970; undefined if there is none. */
async function changedAt(file: string): Promise<number | undefined> {
  return stat(file).then(
    (found) => found.mtimeMs,
    () => undefined,
  );
}

function isSuite(name: string): name is SuiteName {
  return Object.hasOwn(suites, name);
}

/** The packed app is looked at in the layout that it has on Linux. */
function runsHere(name: SuiteName): boolean {
  return name !== 'package' || process.platform === 'linux';
}

const [first, ...rest] = process.argv.slice(2);
if (first !== undefined && !isSuite(first)) {
  console.error(`There is no suite "${first}". The suites are: ${Object.keys(suites).join(', ')}.`);
  process.exit(2);
}
const total = await test(first === undefined ? Object.keys(suites).filter(isSuite).filter(runsHere) : [first], rest);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
