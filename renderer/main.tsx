import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import './ui/tokens.css';
import './ui/base.css';
import './ui/kit.css';
import { notifications } from '@mantine/notifications';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { config } from 'zod/v4/core';
import { connectAppState } from './api/app.ts';
import { errorSentences } from './api/call.ts';
import { readPackagesAhead } from './api/packages.ts';
import { createQueryClient } from './api/query-client.ts';
import { App } from './app.tsx';
import { router } from './router.tsx';

// The page may not compile code. Without this, the schemas of forms would try it once, and the attempt would be reported.
config({ jitless: true });

// Not at the top level of this module: the code of a screen shares parts with it, and would wait for it to end while it waits for that code.
async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root element.');
  const client = createQueryClient((error) =>
    notifications.show({ color: 'red', title: 'That did not work', message: errorSentences(error).join(' ') }),
  );
  const connected = connectAppState().then((state) => {
    if (state.phase === 'ready') readPackagesAhead(client);
  });
  // The first screen is then there in one go.
  await Promise.all([connected, router.load()]);
  createRoot(root).render(
    <StrictMode>
      <App client={client} />
    </StrictMode>,
  );
}

void start();
