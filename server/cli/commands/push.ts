import { Command } from 'commander';
import { GatehouseError } from '../../contract/errors.ts';
import type { OutboxOperation, OutboxStatus } from '../../contract/outbox.ts';
import { countsText, operationText, progressText, verdictLabels, waitCause } from '../../contract/outbox-words.ts';
import type { Upstream } from '../../contract/upstream.ts';
import { dataDirOption } from '../data-dir.ts';
import { plural, print, printJson, remark, showProgress, table, wholeNumber } from '../terminal.ts';
import { pollUntil, withRegistry } from '../with-registry.ts';
import type { CommandRegistry } from '../with-registry.ts';

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

const parseNumber = wholeNumber(0, Infinity, 'It is the number that the list of changes shows.');

/** `gatehouse push`: sends publishes and changes to another registry. */
export function pushCommand(): Command {
  return new Command('push')
    .description('send publishes, tag changes, deprecations and unpublishes to another registry, in order')
    .argument('<upstream>', 'name of an upstream')
    .argument('[packages...]', 'names or scopes; default: those of its settings')
    .option('--dry-run', 'print what would be done, change nothing', false)
    .option('--status', 'show the current or the last push', false)
    .option('--hand-over', 'hand packages over to the upstream: new versions then come from there', false)
    .option('--theirs <number>', 'leave the upstream as it is: resolve a conflict, or skip a change', parseNumber)
    .option('--ours <number>', 'resolve a conflict of a tag: move it anyway', parseNumber)
    .option('--retry <number>', 'retry a change that failed, or let a skipped one wait for the next push', parseNumber)
    .option('--json', 'print JSON', false)
    .addOption(dataDirOption())
    .action((name: string, packages: string[], options: PushOptions) =>
      withRegistry(options, (registry) => push(registry, name, packages, options)),
    );
}

async function push(registry: CommandRegistry, name: string, selection: string[], options: PushOptions): Promise<void> {
  const upstream = await registry.upstream(name);
  const upstreamId = upstream.id;
  if (options.dryRun) {
    const plan = await registry.call('outbox.plan', { upstreamId, selection });
    if (options.json) {
      printJson(plan);
      return;
    }
    if (plan.operations.length === 0) print(`Nothing to push to ${upstream.name}.`);
    for (const line of table(plan.operations.map(planRow))) print(line);
    return;
  }
  if (options.handOver) {
    const { packages } = await registry.call('outbox.handOver', { upstreamId, names: selection });
    for (const found of packages)
      print(`${found.name} (${plural(found.versions.length, 'version')}) is ${upstream.name}'s now.`);
    return;
  }
  if (options.status) {
    const status = await registry.call('outbox.status', { upstreamId });
    if (options.json || status.total > 0) show(status, options.json);
    if (!options.json && !status.running) await showWaiting(registry, upstream);
    return;
  }
  const resolution = resolutionOf(options);
  if (resolution) await registry.call('outbox.resolve', { upstreamId, ...resolution });
  else await registry.call('outbox.start', { upstreamId, selection });
  const status = await follow(registry, upstreamId);
  show(status, options.json);
  if (status.running) {
    const next = registry.isServed ? 'The server continues when it is back.' : 'It continues when the server runs.';
    const away = waitCause(status) ?? `${upstream.name} cannot be reached`;
    const why = status.retryAt === null ? 'The offline switch is on' : away;
    throw new GatehouseError('upstream_unavailable', `${why}. ${next}`);
  }
  if (status.failed + status.conflicts > 0) {
    throw new GatehouseError(
      'conflict',
      'Not everything arrived. Push again to retry what failed, or settle a change by its number with --theirs, --ours or --retry.',
    );
  }
}

/** Shows progress until the push has ended, or waits for an upstream that cannot be reached. */
function follow({ call }: CommandRegistry, upstreamId: number): Promise<OutboxStatus> {
  return pollUntil(async () => {
    const status = await call('outbox.status', { upstreamId });
    if (!status.running || status.waiting) return status;
    showProgress(`${status.done} of ${status.total}  ${status.current ?? ''}`);
    return undefined;
  });
}

function show(status: OutboxStatus, json: boolean): void {
  if (json) {
    printJson(status);
    return;
  }
  print(`${progressText(status)}.`);
  for (const operation of status.operations) {
    if (operation.state !== 'conflict' && operation.state !== 'failed') continue;
    remark(`  ${operation.changeId}  ${describe(operation)}: ${operation.error ?? operation.state}`);
    if (operation.state === 'conflict') {
      remark(`     here ${operation.here ?? '-'}`);
      remark(`     there ${operation.there ?? '-'}`);
    }
  }
}

/** Prints how many changes wait, as the window counts them. */
async function showWaiting({ call }: CommandRegistry, { id, name }: Pick<Upstream, 'id' | 'name'>): Promise<void> {
  const { unsent } = await call('offline.get', {});
  const toSend = unsent.find(({ upstreamId }) => upstreamId === id)?.toSend ?? 0;
  print(toSend === 0 ? `Nothing waits to be sent to ${name}.` : `${countsText({ toSend, conflicts: 0, failed: 0 })}.`);
}

function planRow(operation: OutboxOperation): string[] {
  return [String(operation.changeId), verdictLabels[operation.verdict], describe(operation), operation.explanation];
}

function describe(operation: OutboxOperation): string {
  return `${operationText(operation)} of ${operation.name}`;
}

function resolutionOf(options: PushOptions): { changeId: number; resolution: 'theirs' | 'ours' | 'retry' } | undefined {
  for (const resolution of ['theirs', 'ours', 'retry'] as const) {
    const changeId = options[resolution];
    if (changeId !== undefined) return { changeId, resolution };
  }
  return undefined;
}
