import { resolve } from 'node:path';
import { Command } from 'commander';
import { GatehouseError } from '../../contract/errors.ts';
import { dataDirOption } from '../data-dir.ts';
import { plural, print, printJson, remark } from '../terminal.ts';
import { withRegistry } from '../with-registry.ts';

/** `gatehouse export`: packages in one file, to carry to a place without a network. */
export function exportCommand(): Command {
  return new Command('export')
    .description('write packages with their versions and tags into one signed file')
    .argument('<packages-and-file...>', 'NAME, NAME@RANGE or @scope/*, then the file to write')
    .option('--with-dependencies', 'include all their dependencies', false)
    .option('--json', 'print JSON', false)
    .addOption(dataDirOption())
    .action((items: string[], options: { dataDir: string; withDependencies: boolean; json: boolean }) =>
      withRegistry(options, async ({ call }) => {
        const file = items.at(-1);
        const packages = items.slice(0, -1);
        if (file === undefined || packages.length === 0) {
          throw new GatehouseError('invalid_request', 'Name at least one package, and last the file to write.');
        }
        const report = await call('bundles.export', {
          file: resolve(file),
          packages,
          closure: options.withDependencies,
        });
        if (options.json) {
          printJson(report);
          return;
        }
        print(`${plural(report.entries.length, 'version')} (${report.bytes} bytes) are in ${report.file}.`);
        print(`Signed with ${report.keyId}.`);
        for (const missing of report.missing) remark(`  not in it: ${missing}`);
      }),
    );
}
