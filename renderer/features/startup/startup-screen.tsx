import { Loader } from '@mantine/core';
import { lazy, Suspense, useEffect } from 'react';
import type { AppState } from '../../../server/contract/bridge.ts';
import { Logo } from '../../ui/theme/logo.tsx';
import { stoppedTitle } from './failure-titles.ts';
import './startup.css';

// Most starts need neither.
const MovingScreen = lazy(() => import('./moving-screen.tsx'));
const FailureScreen = lazy(() => import('./failure-screen.tsx'));

/** Shown while the registry is not running: it starts, restarts, moves its data folder, or failed. */
export function StartupScreen({ state }: { state: Exclude<AppState, { phase: 'ready' }> }) {
  const title = titleOf(state);
  useEffect(() => {
    document.title = `${title} · Gatehouse`;
  }, [title]);
  if (state.phase === 'starting') {
    return (
      <main className="gh-startup">
        <div className="gh-starting" role="status">
          <Logo size={44} />
          <h1 className="gh-row">
            <Loader size={14} aria-hidden="true" /> Starting the registry…
          </h1>
        </div>
      </main>
    );
  }
  return (
    <Suspense fallback={<main className="gh-startup" />}>
      {state.phase === 'moving' ? <MovingScreen progress={state} /> : <FailureScreen state={state} />}
    </Suspense>
  );
}

function titleOf(state: Exclude<AppState, { phase: 'ready' }>): string {
  switch (state.phase) {
    case 'starting':
      return 'Starting';
    case 'restarting':
      return 'Stopped';
    case 'moving':
      return 'Moving';
    case 'failed':
      return stoppedTitle(state);
  }
}
