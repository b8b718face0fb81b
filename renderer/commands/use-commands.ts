import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { spotlight } from '@mantine/spotlight';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { copyText, onMenuCommand, useAppState, useSaveSettings } from '../api/app.ts';
import { useCall } from '../api/call.ts';
import { offlineLabel } from '../features/upstream/offline-text.ts';
import { createCommands, type Command } from './commands.ts';

/** The commands, bound to this window; also carries out shortcuts and the application menu. */
export function useCommands(openShortcuts: () => void): Command[] {
  const navigate = useNavigate();
  const router = useRouter();
  const { mutate: saveSettings } = useSaveSettings();
  const { mutate: setOffline } = useCall('offline.set');
  const state = useAppState();
  const origin = state.phase === 'ready' ? state.origin : undefined;

  const commands = useMemo(
    () =>
      createCommands({
        go: (path) => void navigate({ to: path }),
        showRequests: () => void navigate({ to: '/activity', search: { view: 'requests' } }),
        showAccess: () => void navigate({ to: '/environments', search: { view: 'access' } }),
        showUpstream: (tab) => void navigate({ to: '/upstream', search: { tab } }),
        setOffline: (mode) =>
          setOffline({ mode }, { onSuccess: (after) => notifications.show({ message: offlineLabel(after) }) }),
        focusSearch: () => {
          if (focusSearchField()) return;
          void router.navigate({ to: '/packages' }).then(() => requestAnimationFrame(focusSearchField));
        },
        openPalette: () => spotlight.open(),
        openShortcuts,
        setTheme: (theme) => saveSettings({ theme }),
        copyAddress: () => {
          if (origin === undefined) return;
          void copyText(origin).then(() => notifications.show({ message: `Copied ${origin}` }));
        },
      }),
    [navigate, router, openShortcuts, saveSettings, setOffline, origin],
  );

  useEffect(() => onMenuCommand((id) => commands.find((command) => command.id === id)?.run()), [commands]);
  // The empty list of tags: shortcuts work while a field has the focus as well.
  useHotkeys(
    commands.flatMap(({ shortcut, run }) => (shortcut === undefined ? [] : [[shortcut, run] as [string, () => void]])),
    [],
  );
  return commands;
}

function focusSearchField(): boolean {
  const field = document.querySelector<HTMLInputElement>('[data-find]');
  field?.focus();
  field?.select();
  return field !== null;
}
