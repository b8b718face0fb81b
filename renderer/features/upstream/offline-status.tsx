import { IconAlertTriangle, IconCloud, IconCloudOff } from '@tabler/icons-react';
import { useAppState } from '../../api/app.ts';
import { useOffline, useUpstreams } from '../../api/upstream.ts';
import { OfflineMenu } from './offline-menu.tsx';
import { offlineSummary } from './offline-text.ts';

/**
 * In the corner of every screen: whether requests to other registries are made, and the switch, which is there before the first of them is
 * added: nobody who wants to work offline looks for a registry first. Empty while the server does not answer: then nothing is known.
 */
export function OfflineStatus() {
  const server = useAppState();
  const { data: offline } = useOffline();
  const { data: upstreams = [] } = useUpstreams();
  if (server.phase !== 'ready' || !server.answering || offline === undefined) {
    // Its place is kept, so that nothing above it moves.
    return <div className="gh-offline" aria-hidden="true" />;
  }
  const { name, text, isAway } = offlineSummary(offline, upstreams);
  const label = `Network: ${name}${text}`;
  // In a narrow window it stands alone.
  const Icon = isAway ? IconAlertTriangle : offline.online ? IconCloud : IconCloudOff;
  return (
    <OfflineMenu
      position="top-start"
      mode={offline.mode}
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
