import { Command, InvalidArgumentError } from 'commander';
import { longestPublishAge } from '../../registry/packuments/publish-age.ts';
import { dataDirOption } from '../data-dir.ts';
import { cliActor, projectNamed, withPeople } from '../open-people.ts';
import { print, remark } from '../print.ts';

const hour = 3_600_000;

/** `gatehouse publish-age`: lets fresh versions pass clients that hold young ones back, as Yarn 4 does. */
export function publishAgeCommand(): Command {
  return new Command('publish-age')
    .description('show or set by how many hours a project shows its publish times older than they are')
    .argument('[hours]', '0 shows them as they are; without it, the present setting is printed', parseHours)
    .addOption(dataDirOption())
    .option('--project <path>', 'the project, by path or number', 'local/packages')
    .addHelpText(
      'after',
      `
The real times are kept. The honest way is a setting of the client (for Yarn 4: npmMinimalAgeGate: 0 in .yarnrc.yml); this is for
where that cannot be changed.`,
    )
    .action((hours: number | undefined, options: { dataDir: string; project: string }) =>
      withPeople(options.dataDir, async (people) => {
        const project = projectNamed(people, options.project);
        if (hours === undefined) {
          print(String(people.publishAges.of(project.id) / hour));
          return;
        }
        await people.publishAges.set(cliActor, project, hours * hour);
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
