import { resolve } from 'node:path';
import { Command } from 'commander';
import { dataDirOption } from '../data-dir.ts';
import { plural, print, printJson, remark } from '../terminal.ts';
import { withRegistry } from '../with-registry.ts';

interface AdvisoriesOptions {
  readonly dataDir: string;
  readonly json: boolean;
}

/** `gatehouse advisories`: what audits are answered from, with no network. */
export function advisoriesCommand(): Command {
  return new Command('advisories')
    .description('manage the known vulnerabilities that "npm audit" is answered from')
    .addCommand(importCommand())
    .addCommand(statusCommand())
    .addCommand(clearCommand());
}

function importCommand(): Command {
  return new Command('import')
    .description('import advisories of npm or OSV from JSON files')
    .argument('<paths...>', 'files, or folders whose .json files are read')
    .addOption(dataDirOption())
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      `
Accepted are OSV documents (one, or a list; for instance the unpacked "all.zip" of OSV's npm ecosystem) and npm's own (the answer of
a bulk audit, a report of "npm audit --json"). An advisory that is already there is replaced.`,
    )
    .action((paths: string[], options: AdvisoriesOptions) =>
      withRegistry({ ...options, mayCreate: true }, async ({ call }) => {
        const result = await call('advisories.import', { paths: paths.map((path) => resolve(path)) });
        if (options.json) printJson(result);
        else {
          const skipped = result.skipped === 0 ? '' : `; ${result.skipped} are withdrawn or not about npm packages`;
          remark(
            `Imported ${plural(result.advisories, 'advisory', 'advisories')} about ${plural(result.packages, 'package')}${skipped}.`,
          );
        }
      }),
    );
}

function statusCommand(): Command {
  return new Command('status')
    .description('show how many there are, and how old they are')
    .addOption(dataDirOption())
    .option('--json', 'print JSON', false)
    .action((options: AdvisoriesOptions) =>
      withRegistry(options, async ({ call }) => {
        const summary = await call('advisories.summary', {});
        if (options.json) printJson(summary);
        else if (summary.importedAt === null) print('No advisories were imported: every audit is clean.');
        else {
          const at = new Date(summary.importedAt).toISOString();
          print(
            `${plural(summary.advisories, 'advisory', 'advisories')} about ${plural(summary.packages, 'package')}, the last imported ${at}.`,
          );
        }
      }),
    );
}

function clearCommand(): Command {
  return new Command('clear')
    .description('delete all of them')
    .addOption(dataDirOption())
    .action((options: AdvisoriesOptions) =>
      withRegistry(options, async ({ call }) => {
        remark(`Forgot ${(await call('advisories.clear', {})).advisories} advisories.`);
      }),
    );
}
