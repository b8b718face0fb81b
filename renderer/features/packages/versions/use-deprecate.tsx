import type { PackageVersion } from '../../../../server/contract/packages.ts';
import { useUndo } from '../../../api/activity.ts';
import { useCall } from '../../../api/call.ts';
import { said, sayWhenDone, showDone } from '../../../ui/feedback/toast.tsx';

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
  // Its promise is kept also where the dialog that it began in is gone; errors are shown for all calls.
  const { mutateAsync: undo } = useUndo();
  const deprecate = ({ subject, versions, message }: Deprecation, onDone?: () => void) => {
    const before = Object.fromEntries(versions.map(({ version, deprecated }) => [version, deprecated]));
    const done =
      message === ''
        ? said`Removed the deprecation of ${subject}`
        : isDeprecated(versions)
          ? said`Changed the deprecation of ${subject}`
          : said`Deprecated ${subject}`;
    mutate(
      { packageId, messages: messagesOf(versions, message) },
      {
        onSuccess: () => {
          onDone?.();
          showDone(done, {
            label: 'Undo',
            run: () =>
              sayWhenDone(
                undo({
                  kind: 'deprecate',
                  packageId,
                  messages: before,
                  expected: messagesOf(versions, message || null),
                }),
                said`The deprecation of ${subject} is as it was`,
              ),
          });
        },
      },
    );
  };
  return { deprecate, isPending, error };
}

/** Whether all of them are deprecated. */
export const isDeprecated = (versions: readonly PackageVersion[]): boolean =>
  versions.every(({ deprecated }) => deprecated !== null);

/** The same message for each of them. */
export function messagesOf<Message>(versions: readonly PackageVersion[], message: Message): Record<string, Message> {
  return Object.fromEntries(versions.map(({ version }) => [version, message]));
}
