import type { PackageVersion } from '../../../../server/contract/packages.ts';
import { useUndo } from '../../../api/activity.ts';
import { useCall } from '../../../api/call.ts';
import { showDone } from '../../../ui/feedback/toast.tsx';

interface Deprecation {
  /** What the versions are called together. */
  subject: string;
  versions: readonly PackageVersion[];
  /** '' removes the deprecation. */
  message: string;
}

/** Deprecates versions of a package or lifts their deprecation, with a way back. Errors are shown, except where the caller does. */
export function useDeprecate(packageId: number, options: { handlesErrors?: boolean } = {}) {
  const { mutate, isPending, error } = useCall('packages.deprecate', options);
  const { mutate: undo } = useUndo();
  const deprecate = ({ subject, versions, message }: Deprecation, onDone?: () => void) => {
    // Those that the change replaces.
    const messages = Object.fromEntries(versions.map(({ version, deprecated }) => [version, deprecated]));
    const verb =
      message === ''
        ? 'Removed the deprecation of'
        : isDeprecated(versions)
          ? 'Changed the deprecation of'
          : 'Deprecated';
    const input = { packageId, versions: versions.map(({ version }) => version), message };
    mutate(input, {
      onSuccess: () => {
        onDone?.();
        showDone(`${verb} ${subject}`, `deprecation-${packageId}`, {
          label: 'Undo',
          run: () => undo({ kind: 'deprecate', packageId, messages }),
        });
      },
    });
  };
  return { deprecate, isPending, error };
}

/** Whether all of them are deprecated. */
export const isDeprecated = (versions: readonly PackageVersion[]): boolean =>
  versions.every(({ deprecated }) => deprecated !== null);
