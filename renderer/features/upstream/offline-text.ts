import type { OfflineMode, OfflineState } from '../../../server/contract/upstream.ts';

export const offlineModes: readonly { value: OfflineMode; label: string; explanation: string }[] = [
  { value: 'auto', label: 'Automatic', explanation: 'A registry that is away is left alone until it is back.' },
  { value: 'on', label: 'Offline', explanation: 'No request leaves this laptop. What is kept here is served.' },
  { value: 'off', label: 'Online', explanation: 'Every request that is needed is made, however slow the network is.' },
];

/** The state in a word or two, for the corner of the window. */
export function offlineLabel({ mode, online }: OfflineState): string {
  if (mode === 'on') return 'Offline';
  return online ? 'Online' : 'No upstream answers';
}
