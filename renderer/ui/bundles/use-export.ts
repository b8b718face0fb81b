import { useCall } from '../../api/call.ts';
import { chooseNewFile } from '../../api/app.ts';
import type { MethodResult } from '../../../server/contract/methods.ts';
import { nowForName } from '../text/format.ts';
import { bundleExtensions, bundleNameOf } from './export-text.ts';

interface Exported {
  packages: string[];
  /** With all dependencies. */
  closure: boolean;
}

/** Writes packages into one signed file, which is asked for first. Whoever asks shows errors. */
export function useExport() {
  const write = useCall('bundles.export', { handlesErrors: true });
  const start = async (what: Exported, onSuccess?: (report: MethodResult<'bundles.export'>) => void): Promise<void> => {
    const suggestedName = `${bundleNameOf(what.packages)}-${nowForName()}.gatehouse`;
    const file = await chooseNewFile({ title: 'Export to', suggestedName, extensions: bundleExtensions });
    // The dialog asks before a file is replaced.
    if (file !== null) write.mutate({ file, replace: true, ...what }, onSuccess && { onSuccess });
  };
  return { start, write };
}
