import { Command, InvalidArgumentError, Option } from 'commander';
import type { AuditRecord } from '../../accounts/audit-store.ts';
import { dataDirOption } from '../data-dir.ts';
import { projectNamed, withPeople } from '../open-people.ts';
import { print, printJson, table } from '../print.ts';

interface AuditOptions {
  readonly dataDir: string;
  readonly project?: string;
  readonly search?: string;
  readonly limit: number;
  readonly json: boolean;
}

/** `gatehouse audit`: who changed what, when, from where. */
export function auditCommand(): Command {
  return new Command('audit')
    .description('show who changed what, newest first')
    .addOption(dataDirOption())
    .option('--project <project>', 'only changes of one project, by number or path')
    .option('--search <text>', 'part of an action, of a name or of who did it')
    .addOption(new Option('--limit <number>', 'how many').default(50).argParser(parseLimit))
    .option('--json', 'print them with what was before and after, as JSON', false)
    .action((options: AuditOptions) =>
      withPeople(options.dataDir, (people) => {
        const filter = {
          ...(options.project === undefined ? {} : { projectId: projectNamed(people, options.project).id }),
          ...(options.search === undefined ? {} : { search: options.search }),
        };
        const rows = people.people.audit.list(filter, { limit: options.limit, offset: 0 });
        if (options.json) printJson(rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() })));
        else for (const line of table(rows.map(cells))) print(line);
      }),
    );
}

function cells(row: AuditRecord): string[] {
  const from = row.address === null ? row.origin : `${row.origin} ${row.address}`;
  const change = [
    row.before === null ? '' : `was ${short(row.before)}`,
    row.after === null ? '' : `is ${short(row.after)}`,
  ];
  return [
    new Date(row.at).toISOString(),
    row.actorName,
    from,
    row.action,
    `${row.targetType} ${row.targetName}`,
    change.filter((part) => part !== '').join(', '),
  ];
}

/** A value on one line; rules by whom they name rather than by numbers. */
function short(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && 'description' in part && 'access_level' in part
      ? part.description
      : part,
  );
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}

function parseLimit(value: string): number {
  if (/^\d{1,6}$/.test(value) && Number(value) > 0) return Number(value);
  throw new InvalidArgumentError('The limit is a number above 0.');
}
