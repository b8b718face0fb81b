import type { OutboxOperation, SentCheck } from '../../contract/outbox.ts';
import { sameIntegrity } from '../../lib/integrity.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import { readOrError, unreadable } from './compare-changes.ts';
import { localFactsOf, operationOf, packageOf, versionOf } from './operations.ts';
import type { OutboxContext } from './operations.ts';
import type { OutboxChange } from './outbox-store.ts';
import { Peer } from './peer.ts';
import { mergeChanges } from './plan.ts';
import type { Comparison, LocalFacts, RemotePackage } from './plan.ts';

/** Compares what the last push sent with the upstream as it stands now. Changes nothing. */
export async function checkSent(context: OutboxContext, upstream: UpstreamRow): Promise<SentCheck> {
  const { outboxStore, client } = context;
  const sent = (outboxStore.run(upstream.id)?.changes ?? []).flatMap((id) => {
    const change = outboxStore.change(id);
    return change && outboxStore.item(upstream.id, id)?.state === 'done' ? [change] : [];
  });
  const replaced = replacedOf(context, upstream.id, sent);
  const valid = sent.filter(({ id }) => !replaced.has(id));
  const peer = new Peer(client, upstream);
  const remotes = new Map<string, RemotePackage | Error>();
  const operations: OutboxOperation[] = [];
  for (const change of valid) {
    const remote = remotes.get(change.name) ?? (await readOrError(peer, change.name));
    remotes.set(change.name, remote);
    const comparison =
      remote instanceof Error
        ? unreadable(remote)
        : compareSent(change, remote, localFactsOf(context, upstream.id, change));
    operations.push(operationOf(change, outboxStore.item(upstream.id, change.id), comparison));
  }
  return { operations, replaced: sent.length - valid.length };
}

/** Which of the sent changes, given oldest first, a later one of their package replaces, unless that one was skipped. */
function replacedOf(context: OutboxContext, upstreamId: number, sent: readonly OutboxChange[]): Set<number> {
  const { outboxStore } = context;
  const oldest = new Map<string, OutboxChange>();
  for (const change of sent) if (!oldest.has(packageOf(change))) oldest.set(packageOf(change), change);
  const replaced = new Set<number>();
  for (const change of oldest.values()) {
    const later = outboxStore.laterOf(change).filter(({ id }) => outboxStore.item(upstreamId, id)?.state !== 'skipped');
    const { superseded } = mergeChanges([change, ...later], (each) => outboxStore.wasSent(upstreamId, each));
    for (const { id } of superseded) replaced.add(id);
  }
  for (const change of sent) if (change.kind === 'unpublish' && versionOf(context, change)) replaced.add(change.id);
  return replaced;
}

/** Whether a sent change is there as it was sent (`same`), is missing there (`new`), or differs (`conflict`). */
function compareSent(
  change: OutboxChange,
  remote: RemotePackage,
  local: Pick<LocalFacts, 'integrity' | 'wasSent'>,
): Comparison {
  const version = change.version ?? '';
  const tag = change.tag ?? '';
  const present = remote.versions.get(version);
  const tagThere = remote.tags.get(tag);
  switch (change.kind) {
    case 'publish': {
      // A package that was handed over is not here any more, and is still to be there.
      const here = local.integrity ?? change.value;
      if (!present) return finding('new', here, null);
      const differs = here !== null && sameIntegrity(here, present.integrity) === false;
      return differs
        ? finding('conflict', here, present.integrity, `${version} is there with other bytes.`)
        : finding('same', here, present.integrity);
    }
    case 'tag.set':
      if (tagThere === version) return finding('same', version, tagThere);
      if (tagThere === undefined) return finding('new', version, null);
      return finding('conflict', version, tagThere, `"${tag}" points at ${tagThere} there.`);
    case 'tag.remove':
      // A registry always has a "latest".
      if (tag === 'latest' || tagThere === undefined) return finding('same', null, tagThere ?? null);
      return finding('conflict', null, tagThere, `"${tag}" is there again, at ${tagThere}.`);
    case 'deprecate': {
      const message = change.value ?? '';
      if (!present) return finding('new', message, null, `${version} is not there.`);
      if (present.deprecated === message) return finding('same', message, message);
      const text = present.deprecated === '' ? `${version} is not deprecated there.` : 'The message there is another.';
      return finding('conflict', message, present.deprecated, text);
    }
    case 'unpublish':
      // A version of somebody else stayed there.
      if (!present || !local.wasSent()) return finding('same', null, present?.integrity ?? null);
      return finding('conflict', null, present.integrity, `${version} is there again.`);
  }
}

function finding(
  verdict: Comparison['verdict'],
  here: string | null,
  there: string | null,
  explanation = '',
): Comparison {
  return { verdict, here, there, explanation };
}
