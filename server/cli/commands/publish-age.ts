import { Command, InvalidArgumentError } from 'commander';
import { longestPublishAge } from '../../registry/packuments/publish-age.ts';
import { dataDirOption } from '../data-dir.ts';
import { print, remark } from '../terminal.ts';
import { withRegistry } from '../with-registry.ts';

const hour = 3_600_000;

/** `gatehouse publish-age`: lets new versions pass the minimum age of clients, as Yarn 4 has one. */
export function publishAgeCommand(): Command {
  return new Command('publish-age')
    .description('show or set the hours that are added to the age of published versions')
    .argument('[hours]', '0 shows the real times; without it, the setting is printed', parseHours)
    .addOption(dataDirOption())
    .option('--project <path>', 'path or number of the project', 'local/packages')
    .addHelpText(
      'after',
      `
Clients with a minimum age then install new versions at once. The stored times do not change. Prefer a setting of the client
(for Yarn 4: npmMinimalAgeGate: 0 in .yarnrc.yml) where you can change it.`,
    )
    .action((hours: number | undefined, options: { dataDir: string; project: string }) =>
      withRegistry(options, async (registry) => {
        const project = await registry.project(options.project);
        if (hours === undefined) {
          print(String((await registry.call('publishAge.get', { projectId: project.id })).hours));
          return;
        }
        await registry.call('publishAge.set', { projectId: project.id, hours });
        remark(
          hours === 0
            ? `${project.fullPath} shows its publish times as they are.`
            : `${project.fullPath} shows its publish times ${hours} hours older than they are.`,
        );
      }),
    );
}

function parseHours(text: string): number {
  const hours = Number(text);
  if (/^\d{1,6}(?:\.\d+)?$/.test(text) && hours * hour <= longestPublishAge) return hours;
  throw new InvalidArgumentError(`Hours are a number from 0 to ${longestPublishAge / hour}.`);
}
