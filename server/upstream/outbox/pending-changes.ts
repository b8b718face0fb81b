import { GatehouseError } from '../../contract/errors.ts';
import type { OutboxOperation, OutboxWaiting } from '../../contract/outbox.ts';
import { countChanges } from '../../contract/outbox-words.ts';
import type { OutboxCounts } from '../../contract/outbox-words.ts';
import { isSelected } from '../proxy/routing.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import { isCarried, lastComparison, newItem, operationOf } from './operations.ts';
import type { OutboxContext } from './operations.ts';
import { requireOriginOf } from './origins.ts';
import type { OutboxChange, OutboxRun } from './outbox-store.ts';
import { lackToPush } from './peer.ts';
import { mergeChanges } from './plan.ts';
import { sendingTo } from './proposal.ts';
import type { SendingFacts } from './proposal.ts';

/** Which changes wait to be sent to an upstream. Sends nothing and asks no other registry. */
export class PendingChanges {
  readonly #options: OutboxContext & SendingFacts;

  constructor(options: OutboxContext & SendingFacts) {
    this.#options = options;
  }

  /**
   * What a push would send, and what later changes have overtaken.
   * @param selection names and scopes; empty for the upstream's own
   * @throws GatehouseError `invalid_request` where nothing is chosen.
   */
  of(upstream: UpstreamRow, selection: readonly string[]): ReturnType<typeof mergeChanges> {
    const chosen = selection.length > 0 ? selection : upstream.pushSelection;
    if (chosen.length === 0) {
      throw new GatehouseError(
        'invalid_request',
        `Name the packages or scopes to push; ${upstream.name} has none in its settings.`,
      );
    }
    requireOriginOf(upstream);
    return this.#merge(upstream, this.#carried(upstream), chosen);
  }

  /** Changes of the upstream's projects that are neither there nor skipped. */
  #carried(upstream: UpstreamRow): OutboxChange[] {
    const pending = this.#options.outboxStore.pending(upstream.id);
    return pending.filter((change) => isCarried(this.#options, upstream, change));
  }

  #merge({ id }: UpstreamRow, pending: readonly OutboxChange[], chosen: readonly string[]) {
    const selected = pending.filter((change) => isSelected(change.name, chosen));
    return mergeChanges(selected, (change) => this.#options.outboxStore.wasSent(id, change));
  }

  /** Whether a later change of the package replaces a change, so that sending it would undo that. */
  isOvertaken(upstreamId: number, change: OutboxChange): boolean {
    const { outboxStore } = this.#options;
    const changes = [change, ...outboxStore.laterOf(change)];
    return mergeChanges(changes, (each) => outboxStore.wasSent(upstreamId, each)).superseded.includes(change);
  }

  /** What is to be sent automatically and is not part of the last push yet. */
  queued(upstream: UpstreamRow, run: OutboxRun | undefined): readonly OutboxChange[] {
    const { autoPush, enabled, pushFrom, pushSelection } = upstream;
    if (!autoPush || !enabled || pushFrom === null || pushSelection.length === 0) return [];
    const pushed = new Set(run?.changes);
    return this.of(upstream, []).effective.filter((change) => !pushed.has(change.id));
  }

  /** Changes of the last run that did not arrive; they stay in its list until they are settled. */
  unsettled(upstreamId: number): number[] {
    const { outboxStore, upstreams } = this.#options;
    const upstream = upstreams.require(upstreamId);
    const pushed = new Set(outboxStore.run(upstreamId)?.changes);
    if (pushed.size === 0) return [];
    return this.#carried(upstream).flatMap(({ id }) => (pushed.has(id) ? [id] : []));
  }

  /** What waits to be sent, by the settings of the upstream or, where those name nothing, as it is proposed. Sends no request. */
  describeWaiting(upstreamId: number): OutboxWaiting {
    const upstream = this.#options.upstreams.require(upstreamId);
    const { selection, pushFrom } = sendingTo(this.#options, upstream);
    const isEmpty = selection.length === 0 || pushFrom === null;
    const changes = isEmpty ? [] : this.of({ ...upstream, pushFrom }, selection).effective;
    return {
      selection: [...selection],
      pushFrom,
      proposed: upstream.pushSelection.length === 0 || upstream.pushFrom === null,
      lacks: lackToPush(upstream),
      operations: this.describe(upstreamId, changes),
    };
  }

  /**
   * How many changes of each upstream are neither there nor skipped: of its last push, and those that its settings name, whether they are
   * sent automatically or by hand. What is only proposed does not count. Upstreams with none are left out.
   */
  get counts(): ({ upstreamId: number } & OutboxCounts)[] {
    return this.#options.upstreams.all.flatMap((upstream) => {
      const counts = countChanges(this.#unsent(upstream));
      return Object.values(counts).some((count) => count > 0) ? [{ upstreamId: upstream.id, ...counts }] : [];
    });
  }

  #unsent(upstream: UpstreamRow): Pick<OutboxOperation, 'state'>[] {
    const { outboxStore } = this.#options;
    const { id, pushSelection, pushFrom } = upstream;
    const begun = new Set(outboxStore.run(id)?.changes);
    if (pushFrom === null || (pushSelection.length === 0 && begun.size === 0)) return [];
    const pending = this.#carried(upstream);
    const named = this.#merge(upstream, pending, pushSelection).effective;
    const listed = new Set([...pending.filter((change) => begun.has(change.id)), ...named]);
    const items = outboxStore.openItems(id);
    return [...listed].map((change) => ({ state: items.get(change.id)?.state ?? 'waiting' }));
  }

  /** Changes that wait, as the outbox lists them. */
  describe(upstreamId: number, changes: readonly OutboxChange[]): OutboxOperation[] {
    if (changes.length === 0) return [];
    const items = this.#options.outboxStore.openItems(upstreamId);
    return changes.map((change) => {
      const item = items.get(change.id) ?? newItem(upstreamId, change.id);
      return operationOf(change, item, lastComparison(item));
    });
  }
}
