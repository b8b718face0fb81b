import { Command, InvalidArgumentError } from 'commander';
import { GatehouseError } from '../../contract/errors.ts';
import type { OutboxOperation, OutboxStatus } from '../../contract/upstream.ts';
import { dataDirOption } from '../data-dir.ts';
import { print, printJson, remark, table } from '../print.ts';
import { findUpstream, pause, withRegistry } from '../with-registry.ts';
import type { RegistryAccess } from '../with-registry.ts';

interface PushOptions {
  readonly dataDir: string;
  readonly dryRun: boolean;
  readonly status: boolean;
  readonly handOver: boolean;
  readonly json: boolean;
  readonly theirs?: number;
  readonly ours?: number;
  readonly retry?: number;
}

/** `gatehouse push`: what was published and changed here goes to another registry. */
export function pushCommand(): Command {
  return new Command('push')
    .description('carry publishes, tag changes, deprecations and unpublishes to another registry, in order')
    .argument('<upstream>', 'name of an upstream')
    .argument('[packages...]', 'names or scopes; those of its settings if left out')
    .option('--dry-run', 'say what would be done, and do nothing', false)
    .option('--status', 'show the push under way or the last one', false)
    .option('--hand-over', 'let the upstream have packages that arrived: new versions then come from there', false)
    .option('--theirs <number>', 'settle a change that stopped: leave the upstream as it is', parseNumber)
    .option('--ours <number>', 'settle a tag that stopped: move it all the same', parseNumber)
    .option('--retry <number>', 'try a change that stopped again', parseNumber)
    .option('--json', 'print the result as JSON', false)
    .addOption(dataDirOption())
    .action((name: string, packages: string[], options: PushOptions) =>
      withRegistry(options.dataDir, (access) => push(access, name, packages, options)),
    );
}

async function push(access: RegistryAccess, name: string, selection: string[], options: PushOptions): Promise<void> {
  const upstream = await findUpstream(access, name);
  const upstreamId = upstream.id;
  if (options.dryRun) {
    const plan = await access.call('outbox.plan', { upstreamId, selection });
    if (options.json) {
      printJson(plan);
      return;
    }
    if (plan.operations.length === 0) print(`Nothing waits for ${upstream.name}.`);
    for (const line of table(plan.operations.map(planRow))) print(line);
    return;
  }
  if (options.handOver) {
    const { packages } = await access.call('outbox.handOver', { upstreamId, names: selection });
    for (const found of packages) print(`${found.name} (${found.versions.length} versions) is ${upstream.name}'s now.`);
    return;
  }
  if (options.status) {
    show(await access.call('outbox.status', { upstreamId }), options.json);
    return;
  }
  const decision = decisionOf(options);
  if (decision) await access.call('outbox.resolve', { upstreamId, ...decision });
  else await access.call('outbox.start', { upstreamId, selection });
  const status = await follow(access, upstreamId);
  show(status, options.json);
  if (status.running) {
    const later = access.isServed
      ? 'The server goes on by itself when it is back.'
      : 'It goes on when the server runs.';
    throw new GatehouseError('upstream_unavailable', `${upstream.name} cannot be reached. ${later}`);
  }
  if (status.failed + status.conflicts > 0) {
    throw new GatehouseError(
      'conflict',
      'Not everything arrived. Settle a change by its number with --theirs, --ours or --retry.',
    );
  }
}

/** Looks on until the push has ended, or waits for an upstream that is away. */
async function follow({ call }: RegistryAccess, upstreamId: number): Promise<OutboxStatus> {
  for (;;) {
    const status = await call('outbox.status', { upstreamId });
    if (!status.running || status.retryAt !== null) return status;
    if (process.stderr.isTTY)
      process.stderr.write(`\r${status.done} of ${status.total}  ${(status.current ?? '').padEnd(50)}`);
    await pause(150);
  }
}

function show(status: OutboxStatus, json: boolean): void {
  if (json) {
    printJson(status);
    return;
  }
  print(`${status.done} of ${status.total} changes are at ${status.upstream}.`);
  for (const operation of status.operations) {
    if (operation.state !== 'conflict' && operation.state !== 'failed') continue;
    remark(`  ${operation.changeId}  ${what(operation)}: ${operation.error ?? operation.state}`);
    if (operation.state === 'conflict')
      remark(`     here ${operation.here ?? '-'}\n     there ${operation.there ?? '-'}`);
  }
}

function planRow(operation: OutboxOperation): string[] {
  return [String(operation.changeId), operation.verdict, what(operation), operation.explanation];
}

function what({ kind, name, version, tag }: OutboxOperation): string {
  return kind === 'tag.set' || kind === 'tag.remove' ? `${kind} ${name} "${tag}"` : `${kind} ${name}@${version}`;
}

function decisionOf(options: PushOptions): { changeId: number; resolution: 'theirs' | 'ours' | 'retry' } | undefined {
  for (const resolution of ['theirs', 'ours', 'retry'] as const) {
    const changeId = options[resolution];
    if (changeId !== undefined) return { changeId, resolution };
  }
  return undefined;
}

function parseNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is the number that the list of changes shows.');
}
