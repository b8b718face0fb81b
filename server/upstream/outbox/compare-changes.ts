import { GatehouseError } from '../../contract/errors.ts';
import type { OutboxOperation } from '../../contract/outbox.ts';
import { OutboundError } from '../network/outbound-error.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import { localFactsOf, operationOf, packageOf } from './operations.ts';
import type { OutboxContext } from './operations.ts';
import type { OutboxChange } from './outbox-store.ts';
import { Peer } from './peer.ts';
import { applyChange, compareChange } from './plan.ts';
import type { Comparison, RemotePackage } from './plan.ts';

/**
 * Compares changes with an upstream as it stands now, each with what those before it will have done there. Changes nothing.
 * A package that cannot be read there shows as verdict `unknown`.
 */
export async function compareAll(
  context: OutboxContext,
  upstream: UpstreamRow,
  changes: readonly OutboxChange[],
): Promise<OutboxOperation[]> {
  const peer = new Peer(context.client, upstream);
  const remotes = new Map<string, RemotePackage | Error>();
  const planned = new Set<string>();
  const operations: OutboxOperation[] = [];
  for (const change of changes) {
    const remote = remotes.get(change.name) ?? (await readOrError(peer, change.name));
    remotes.set(change.name, remote);
    const item = context.outboxStore.item(upstream.id, change.id);
    if (remote instanceof Error) {
      operations.push(operationOf(change, item, unreadable(remote)));
      continue;
    }
    const facts = localFactsOf(context, upstream.id, change);
    const keyOf = (version: string): string => `${packageOf(change)}@${version}`;
    const local = { ...facts, isOurs: (version: string) => planned.has(keyOf(version)) || facts.isOurs(version) };
    const comparison = compareChange(change, remote, local);
    operations.push(operationOf(change, item, comparison));
    if (change.kind === 'publish' && comparison.verdict !== 'conflict') planned.add(keyOf(change.version ?? ''));
    if (comparison.verdict === 'new') remotes.set(change.name, applyChange(change, remote, local));
  }
  return operations;
}

/** How a change compares with a package that could not be read. */
export function unreadable({ message }: Error): Comparison {
  return { verdict: 'unknown', here: null, there: null, explanation: message };
}

/** A package there, or why it could not be read. */
export async function readOrError(peer: Peer, name: string): Promise<RemotePackage | Error> {
  try {
    return await peer.read(name);
  } catch (error) {
    if (error instanceof GatehouseError || error instanceof OutboundError) return error;
    throw error;
  }
}
