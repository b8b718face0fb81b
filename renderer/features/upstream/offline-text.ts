import type { OfflineMode, OfflineState } from '../../../server/contract/upstream.ts';

export const offlineModes: readonly { value: OfflineMode; label: string; explanation: string }[] = [
  { value: 'auto', label: 'Automatic', explanation: 'An unreachable registry is retried in the background.' },
  { value: 'on', label: 'Offline', explanation: 'No request leaves this machine. Cached packages are served.' },
  { value: 'off', label: 'Online', explanation: 'Every request is made, however slow the network is.' },
];

/** The state in a word or two, for the corner of the window. */
export function offlineLabel({ mode, online }: OfflineState): string {
  if (mode === 'on') return 'Offline';
  return online ? 'Online' : 'Upstream unreachable';
}
