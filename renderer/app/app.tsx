import { MantineProvider, type MantineColorSchemeManager } from '@mantine/core';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useAppState } from '../api/app.ts';
import { StartupScreen } from '../features/startup/startup-screen.tsx';
import { keepFocus } from '../ui/forms/keep-focus.ts';
import { followSelectKeys } from '../ui/forms/select-keys.ts';
import { selectOnFocus } from '../ui/forms/select-on-focus.ts';
import { followListKeys } from '../ui/lists/list-keys.ts';
import { afterFirstPaint, latePart } from '../ui/page/late-part.tsx';
import { styleNonce } from '../ui/theme/style-nonce.ts';
import { cssVariables, theme } from '../ui/theme/theme.ts';
import { loadScreens, router } from './router.tsx';

// The theme is a setting of the app: the main process makes it the system's for all windows, and each window follows the system.
const noStorage: MantineColorSchemeManager = {
  get: (fallback) => fallback,
  set: () => undefined,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
};

const LateParts = latePart(() => import('./late-parts.tsx'));

/** The whole window. */
export function App({ client }: { client: QueryClient }) {
  useEffect(() => keepFocus(), []);
  useEffect(() => selectOnFocus(), []);
  useEffect(() => followSelectKeys(), []);
  useEffect(() => followListKeys(), []);
  // What was lost here fails where it is opened.
  useEffect(() => afterFirstPaint(() => void loadScreens().catch(() => undefined)), []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      colorSchemeManager={noStorage}
      getStyleNonce={() => styleNonce ?? ''}
    >
      <QueryClientProvider client={client}>
        <Screens />
        <LateParts />
      </QueryClientProvider>
    </MantineProvider>
  );
}

function Screens() {
  const state = useAppState();
  const [wasReady, setWasReady] = useState(false);
  if (state.phase === 'ready' && !wasReady) setWasReady(true);
  // The first restart after a crash is short: the screens stay, so that nothing typed is lost.
  const isBriefRestart =
    wasReady && (state.phase === 'starting' || (state.phase === 'restarting' && state.attempt === 1));
  if (state.phase === 'ready' || isBriefRestart) return <RouterProvider router={router} />;
  return <StartupScreen state={state} />;
}
