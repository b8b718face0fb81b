import { IconCloud, IconCloudOff } from '@tabler/icons-react';
import { useCall } from '../../api/call.ts';
import { useAppState } from '../../api/app.ts';
import { useOffline, useUpstreams } from '../../api/upstream.ts';
import { ChoiceMenu } from '../../ui/forms/choice-menu.tsx';
import { offlineModes, offlineSummary } from './offline-text.ts';

/**
 * In the corner of every screen: whether requests to other registries are made, and the switch. Hidden while there are no others, and
 * while the server does not answer: then nothing is known of them.
 */
export function OfflineStatus() {
  const server = useAppState();
  const { data: offline } = useOffline();
  const { data: upstreams = [] } = useUpstreams();
  const { mutate: set } = useCall('offline.set');
  const hasRemotes = upstreams.some((upstream) => upstream.kind !== 'archive');
  if (server.phase !== 'ready' || !server.answering) return null;
  if (offline === undefined || (!hasRemotes && offline.mode !== 'on')) return null;
  const { name, text } = offlineSummary(offline, upstreams);
  const label = `Other registries: ${name}${text}`;
  const Icon = offline.online ? IconCloud : IconCloudOff;
  return (
    <ChoiceMenu
      position="top-start"
      width={300}
      choices={offlineModes}
      value={offline.mode}
      onChange={(mode) => set({ mode })}
      button={
        <button
          type="button"
          className="gh-offline"
          data-tip={label}
          data-away={!offline.online || undefined}
          aria-label={label}
        >
          <Icon size={15} aria-hidden="true" />
          <span className="gh-offline-label">
            {name === '' ? null : <strong className="gh-truncate">{name}</strong>}
            <span className="gh-truncate">{text}</span>
          </span>
        </button>
      }
    />
  );
}
