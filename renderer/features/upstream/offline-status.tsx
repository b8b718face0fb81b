import { IconAlertTriangle, IconCloud, IconCloudOff } from '@tabler/icons-react';
import { useCall } from '../../api/call.ts';
import { useAppState } from '../../api/app.ts';
import { useOffline, useUpstreams } from '../../api/upstream.ts';
import { ChoiceMenu } from '../../ui/forms/choice-menu.tsx';
import { offlineModes, offlineSummary } from './offline-text.ts';

/**
 * In the corner of every screen: whether requests to other registries are made, and the switch, which is there before the first of them is
 * added: nobody who wants to work offline looks for a registry first. Empty while the server does not answer: then nothing is known.
 */
export function OfflineStatus() {
  const server = useAppState();
  const { data: offline } = useOffline();
  const { data: upstreams = [] } = useUpstreams();
  const { mutate: set } = useCall('offline.set');
  if (server.phase !== 'ready' || !server.answering || offline === undefined) {
    // Its place is kept, so that nothing above it moves.
    return <div className="gh-offline" aria-hidden="true" />;
  }
  const { name, text, isAway } = offlineSummary(offline, upstreams);
  const label = `Network: ${name}${text}`;
  // In a narrow window it stands alone.
  const Icon = isAway ? IconAlertTriangle : offline.online ? IconCloud : IconCloudOff;
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
          data-away={isAway || !offline.online || undefined}
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
