import { Command, Option } from 'commander';
import type { AuditRow } from '../../contract/directory.ts';
import { dataDirOption } from '../data-dir.ts';
import { print, printJson, table, wholeNumber } from '../terminal.ts';
import { withRegistry } from '../with-registry.ts';
import type { CommandRegistry } from '../with-registry.ts';

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
    .description('list changes, newest first')
    .addOption(dataDirOption())
    .option('--project <project>', 'only changes of one project, by number or path')
    .option('--search <text>', 'part of an action, of a name, of the author or of the token')
    .addOption(
      new Option('--limit <number>', 'number of rows')
        .default(50)
        .argParser(wholeNumber(1, 999_999, 'The limit is a number from 1 to 999999.')),
    )
    .option('--json', 'print JSON, with the values before and after', false)
    .action((options: AuditOptions) =>
      withRegistry(options, async (registry) => {
        const rows = await readRows(registry, options);
        if (options.json) printJson(rows.map(flatten));
        else for (const line of table(rows.map(cells))) print(line);
      }),
    );
}

/** Rows that one call answers at most. */
const largestPage = 500;

async function readRows(registry: CommandRegistry, options: AuditOptions): Promise<AuditRow[]> {
  const projectId = options.project === undefined ? null : (await registry.project(options.project)).id;
  const rows: AuditRow[] = [];
  for (let beforeId: number | null = null; rows.length < options.limit;) {
    const limit = Math.min(options.limit - rows.length, largestPage);
    const page: Awaited<ReturnType<typeof registry.call<'directory.audit'>>> = await registry.call('directory.audit', {
      projectId,
      search: options.search ?? '',
      beforeId,
      limit,
    });
    rows.push(...page.rows);
    beforeId = page.nextBeforeId;
    if (beforeId === null) break;
  }
  return rows;
}

function flatten({ at, actor, target, isLost: _isLost, ...row }: AuditRow) {
  return {
    ...row,
    at: new Date(at).toISOString(),
    actorId: actor.id,
    actorName: actor.name,
    targetType: target.type,
    targetId: target.id,
    targetName: target.name,
  };
}

function cells(row: AuditRow): string[] {
  const from = row.address === null ? row.origin : `${row.origin} ${row.address}`;
  const change = [
    row.before === null ? '' : `was ${short(row.before)}`,
    row.after === null ? '' : `is ${short(row.after)}`,
  ];
  return [
    new Date(row.at).toISOString(),
    row.actor.name,
    from,
    row.action,
    `${row.target.type} ${row.target.name}`,
    change.filter((part) => part !== '').join(', '),
  ];
}

/** A value on one line; deploy rules by description. */
function short(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && 'description' in part && 'access_level' in part
      ? part.description
      : part,
  );
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}
