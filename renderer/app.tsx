import { MantineProvider, type MantineColorSchemeManager } from '@mantine/core';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useAppState } from './api/app.ts';
import { followServer } from './api/query-client.ts';
import { StartupScreen } from './features/startup/startup-screen.tsx';
import { router } from './router.tsx';
import { keepFocus } from './ui/keep-focus.ts';
import { styleNonce } from './ui/style-nonce.ts';
import { cssVariables, theme } from './ui/theme.ts';
import { later } from './ui/later.ts';

// Nothing of it can be seen before somebody does something. What is shown earlier is kept until it is there.
const Overlays = later(() => import('./ui/overlays.tsx'));

// The choice lives in the app's settings: the main process makes it the system's for all windows at once, and each follows that.
const noStorage: MantineColorSchemeManager = {
  get: (fallback) => fallback,
  set: () => undefined,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
};

/** The whole window. */
export function App({ client }: { client: QueryClient }) {
  useEffect(() => followServer(client), [client]);
  useEffect(() => keepFocus(), []);
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
        <Overlays />
      </QueryClientProvider>
    </MantineProvider>
  );
}

function Screens() {
  const state = useAppState();
  const [wasReady, setWasReady] = useState(false);
  if (state.phase === 'ready' && !wasReady) setWasReady(true);
  // A short restart leaves the screens as they are; what was typed is not lost. Only the first one is short.
  const bridgedOver = wasReady && (state.phase === 'starting' || (state.phase === 'restarting' && state.attempt === 1));
  if (state.phase === 'ready' || bridgedOver) return <RouterProvider router={router} />;
  return <StartupScreen state={state} />;
}
