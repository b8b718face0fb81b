import type { OfflineMode, OfflineState, Upstream } from '../../../server/contract/upstream.ts';
import { formatCount } from '../../ui/text/format.ts';

export const offlineModes: readonly { value: OfflineMode; label: string; explanation: string }[] = [
  {
    value: 'auto',
    label: 'Automatic',
    explanation: 'While a registry is unreachable, its cached packages are served and it is retried.',
  },
  { value: 'on', label: 'Offline', explanation: 'No request leaves this machine. Cached packages are served.' },
  { value: 'off', label: 'Online', explanation: 'All requests are sent, even when the network is slow.' },
];

/** The state in a few words, for the corner of the window: "company unreachable, 54 to send". */
export function offlineLabel(
  { mode, online, unsent }: OfflineState,
  upstreams: readonly Pick<Upstream, 'name' | 'enabled' | 'state'>[] = [],
): string {
  const away = upstreams.filter(({ enabled, state }) => enabled && state.status === 'away');
  const reach =
    away.length === 1
      ? `${away[0]?.name ?? ''} unreachable`
      : away.length > 1 && online
        ? `${away.length} registries unreachable`
        : online
          ? 'Online'
          : 'Upstream unreachable';
  return `${mode === 'on' ? 'Offline' : reach}${unsent === 0 ? '' : `, ${formatCount(unsent)} to send`}`;
}
