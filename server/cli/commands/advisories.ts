import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { GatehouseError } from '../../contract/errors.ts';
import { dataDirOption } from '../data-dir.ts';
import { cliActor, withPeople } from '../open-people.ts';
import { print, printJson, remark } from '../print.ts';

/** `gatehouse advisories`: what audits are answered from, with no network. */
export function advisoriesCommand(): Command {
  return new Command('advisories')
    .description('known vulnerabilities, which "npm audit" is answered from')
    .addCommand(importCommand())
    .addCommand(statusCommand())
    .addCommand(clearCommand());
}

function importCommand(): Command {
  return new Command('import')
    .description('take advisories in: JSON of npm or OSV, a file or a folder of files')
    .argument('<paths...>', 'files, or folders whose .json files are read')
    .addOption(dataDirOption())
    .option('--json', 'say what was imported as JSON', false)
    .addHelpText(
      'after',
      `
Accepted are documents of OSV (one, or a list; for instance the unpacked "all.zip" of OSV's npm ecosystem) and what npm writes
(the answer of a bulk audit, a report of "npm audit --json"). An advisory that is known already is replaced.`,
    )
    .action((paths: string[], options: { dataDir: string; json: boolean }) =>
      withPeople(options.dataDir, async ({ advisories }) => {
        const result = await advisories.importAll(cliActor, documentsIn(paths));
        if (options.json) printJson(result);
        else {
          const skipped = result.skipped === 0 ? '' : `; ${result.skipped} are withdrawn or not about npm packages`;
          remark(`Imported ${result.advisories} advisories about ${result.packages} packages${skipped}.`);
        }
      }),
    );
}

function statusCommand(): Command {
  return new Command('status')
    .description('say how many there are, and how old they are')
    .addOption(dataDirOption())
    .option('--json', 'as JSON', false)
    .action((options: { dataDir: string; json: boolean }) =>
      withPeople(options.dataDir, ({ advisories }) => {
        const { summary } = advisories;
        if (options.json) printJson(summary);
        else if (summary.importedAt === null) print('No advisories were imported: every audit is clean.');
        else {
          const at = new Date(summary.importedAt).toISOString();
          print(`${summary.advisories} advisories about ${summary.packages} packages, the last imported ${at}.`);
        }
      }),
    );
}

function clearCommand(): Command {
  return new Command('clear')
    .description('forget all of them')
    .addOption(dataDirOption())
    .action((options: { dataDir: string }) =>
      withPeople(options.dataDir, async ({ advisories }) => {
        remark(`Forgot ${await advisories.clear(cliActor)} advisories.`);
      }),
    );
}

/** The JSON documents in files and folders, read one at a time. @throws GatehouseError `invalid_request` naming what cannot be read. */
function* documentsIn(paths: readonly string[]): Generator<{ source: string; value: unknown }> {
  for (const path of paths) {
    for (const file of filesIn(path)) {
      let value: unknown;
      try {
        value = JSON.parse(readFileSync(file, 'utf8'));
      } catch (error) {
        throw unreadable(file, error);
      }
      yield { source: file, value };
    }
  }
}

function filesIn(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted();
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): GatehouseError {
  const reason = error instanceof Error ? error.message : String(error);
  return new GatehouseError('invalid_request', `${path} cannot be read as JSON: ${reason}`);
}
