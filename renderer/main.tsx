import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import './ui/tokens.css';
import './ui/base.css';
import './ui/kit.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connectAppState } from './api/app.ts';
import { App } from './app.tsx';
import { router } from './router.tsx';

// Not at the top level of this module: the code of a screen shares parts with it, and would wait for it to end while it waits for that code.
async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root element.');
  // The first screen is then there in one go.
  await Promise.all([connectAppState(), router.load()]);
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

void start();
