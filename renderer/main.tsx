import './ui/theme/fonts.css';
import '@mantine/core/styles.layer.css';
import './ui/theme/tokens.css';
import './ui/theme/base.css';
import { notifications } from '@mantine/notifications';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { config } from 'zod/v4/core';
import { connectAppState } from './api/app.ts';
import { errorSentences } from './api/call.ts';
import { prefetchPackages } from './api/packages.ts';
import { createQueryClient } from './api/query-client.ts';
import { App } from './app/app.tsx';
import { router } from './app/router.tsx';

// The page may not compile code. Without this, the schemas of forms would try it once, and the attempt would be reported.
config({ jitless: true });

// A function, since a top-level await here would wait for chunks that import this module.
async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root element.');
  const client = createQueryClient((error) =>
    notifications.show({ color: 'red', title: 'Something went wrong', message: errorSentences(error).join(' ') }),
  );
  const connected = connectAppState().then((state) => {
    if (state.phase === 'ready') prefetchPackages(client);
  });
  await Promise.all([connected, router.load()]);
  createRoot(root).render(
    <StrictMode>
      <App client={client} />
    </StrictMode>,
  );
}

void start();
