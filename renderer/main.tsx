import { firstState } from './api/first-requests.ts';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './ui/theme/fonts.css';
import '@mantine/core/styles.layer.css';
import './ui/theme/tokens.css';
import './ui/theme/base.css';
import { notifications } from '@mantine/notifications';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connectAppState } from './api/app.ts';
import { errorSentences, errorTitle } from './api/call.ts';
import { takeFirstReplies } from './api/first-data.ts';
import { createQueryClient, followServer } from './api/query-client.ts';
import { App } from './app/app.tsx';
import { router } from './app/router.tsx';

/** Milliseconds that the first drawing waits for the data of the first screen and its fonts, so that it is not drawn twice. */
const patience = 100;

// A function, since a top-level await here would wait for chunks that import this module.
async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root element.');
  const client = createQueryClient((error) =>
    notifications.show({
      color: 'var(--gh-danger)',
      title: errorTitle(error),
      message: errorSentences(error).join(' '),
    }),
  );
  followServer(client);
  const patient = new Promise((resolve) => setTimeout(resolve, patience));
  const fonts = ['Inter Latin', 'JetBrains Mono Latin'].map((name) => document.fonts.load(`1em '${name}'`));
  const [state] = await Promise.all([connectAppState(firstState), router.load()]);
  const data = state.phase === 'ready' ? takeFirstReplies(client) : undefined;
  await Promise.race([Promise.allSettled([data, ...fonts]), patient]);
  createRoot(root).render(
    <StrictMode>
      <App client={client} />
    </StrictMode>,
  );
}

void start();
