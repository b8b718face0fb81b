import { SegmentedControl, Tooltip } from '@mantine/core';
import { useCall } from '../../api/call.ts';
import { useOffline } from '../../api/upstream.ts';
import { offlineModes } from './offline-text.ts';

/** Chooses whether requests may leave this laptop. */
export function OfflineSwitch() {
  const { data: offline } = useOffline();
  const { mutate: set } = useCall('offline.set');
  if (offline === undefined) return null;
  const explanation = offlineModes.find((mode) => mode.value === offline.mode)?.explanation ?? '';
  return (
    <Tooltip label={explanation}>
      <SegmentedControl
        aria-label="Requests to other registries"
        data={offlineModes.map(({ value, label }) => ({ value, label }))}
        value={offline.mode}
        onChange={(mode) => set({ mode })}
      />
    </Tooltip>
  );
}
