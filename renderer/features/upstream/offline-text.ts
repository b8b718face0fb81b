import { sumCounts } from '../../../server/contract/outbox-words.ts';
import type { OfflineMode, OfflineState, Upstream } from '../../../server/contract/upstream.ts';
import { formatCount } from '../../ui/text/format.ts';

export const offlineModes: readonly { value: OfflineMode; label: string; note: string }[] = [
  {
    value: 'auto',
    label: 'Automatic',
    note: 'Uses the cache while a registry is unreachable.',
  },
  { value: 'on', label: 'Offline', note: 'Uses the cache only. No request leaves this computer.' },
  { value: 'off', label: 'Always online', note: 'Tries registries each time, even unreachable ones.' },
];

/**
 * The state in a few words, for the corner of the window: the name of the one registry that is unreachable, and what is said, with what
 * waits for the network, and whether a registry is away. What waits for a person is counted beside the screen.
 */
export function offlineSummary(
  { mode, online, unsent }: OfflineState,
  upstreams: readonly Pick<Upstream, 'name' | 'enabled' | 'state'>[] = [],
): { name: string; text: string; isAway: boolean } {
  const waiting = sumCounts(unsent).toSend;
  const toSend = waiting === 0 ? '' : `, ${formatCount(waiting)} to send`;
  if (mode === 'on') return { name: '', text: `Offline${toSend}`, isAway: false };
  const [first, ...more] = upstreams.filter(({ enabled, state }) => enabled && state.status === 'away');
  if (first === undefined) return { name: '', text: `${online ? 'Online' : 'Unreachable'}${toSend}`, isAway: !online };
  return more.length === 0
    ? { name: first.name, text: ` unreachable${toSend}`, isAway: true }
    : { name: '', text: `${more.length + 1} registries unreachable${toSend}`, isAway: true };
}
