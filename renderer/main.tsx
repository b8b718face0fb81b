import './api/zod-setup.ts';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import './ui/tokens.css';
import './ui/base.css';
import './ui/kit.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connectAppState } from './api/app.ts';
import { App } from './app.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');

await connectAppState();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
