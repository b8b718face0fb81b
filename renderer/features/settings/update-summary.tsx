import type { Updates } from '../../../server/contract/updates.ts';
import { formatBytes } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';

/** One sentence about newer versions, told again whenever it changes. */
export function UpdateSummary({ updates, version }: { updates: Updates; version: string }) {
  return <span role="status">{sentence(updates, version)}</span>;
}

function sentence({ state, feed }: Updates, version: string) {
  switch (state.phase) {
    case 'unknown':
      return feed === null
        ? 'Gatehouse looks for newer versions once it knows where. No address is set.'
        : `Gatehouse ${version} runs. Nobody was asked for a newer one yet.`;
    case 'checking':
      return 'Asking for the newest version…';
    case 'newest':
      return (
        <>
          Gatehouse {version} is the newest version, as of <Moment time={state.checkedAt} />.
        </>
      );
    case 'available':
      return `Gatehouse ${state.offer.version} is there.`;
    case 'downloading': {
      const { received, offer } = state;
      const size = offer.size === null ? '' : ` of ${formatBytes(offer.size)}`;
      return `Downloading Gatehouse ${offer.version}: ${formatBytes(received)}${size}.`;
    }
    case 'downloaded':
      return state.installsOnQuit
        ? `Gatehouse ${state.offer.version} is installed when this one quits.`
        : `Gatehouse ${state.offer.version} was downloaded and checked.`;
    case 'failed':
      return state.offer === null
        ? 'It could not be found out.'
        : `Gatehouse ${state.offer.version} could not be downloaded.`;
  }
}
