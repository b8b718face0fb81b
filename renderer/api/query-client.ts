import { MutationCache, QueryClient } from '@tanstack/react-query';
import { settingsKey } from './app.ts';
import { updatesKey } from './updates.ts';
import { CallFailed } from './call.ts';
import { createInvalidationQueue, staleAfter } from './invalidation.ts';

const burstMilliseconds = 40;

/**
 * The store of server data. Nothing goes stale by age: the server announces every change, so a query is refetched exactly when
 * an event says so or when the server was started anew.
 */
export function createQueryClient(onMutationError: (error: Error) => void): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        gcTime: 10 * 60_000,
        // Calls cross a local link: the browser's idea of being online says nothing about them.
        networkMode: 'always',
        retry: (failures, error) => error instanceof CallFailed && error.code === 'app_unavailable' && failures < 2,
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always' },
    },
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (mutation.meta?.['handlesErrors'] !== true) onMutationError(error);
      },
    }),
  });
}

/** Keeps the store true to the server for as long as the window lives. Returns the function that stops it. */
export function followServer(client: QueryClient): () => void {
  const enqueue = createInvalidationQueue(
    (queryKey) => void client.invalidateQueries({ queryKey }),
    (flush) => setTimeout(flush, burstMilliseconds),
  );
  const stopEvents = window.gatehouse.onEvent((event) => enqueue(staleAfter(event)));
  const stopState = window.gatehouse.app.onState((state) => {
    // The server is new and events may have been missed while it was down.
    if (state.phase === 'ready') void client.invalidateQueries();
  });
  const stopUpdates = window.gatehouse.updates.onState((updates) => client.setQueryData(updatesKey, updates));
  // Whichever window saved them.
  const stopSettings = window.gatehouse.app.onSettings((settings) => client.setQueryData(settingsKey, settings));
  return () => {
    stopEvents();
    stopState();
    stopSettings();
    stopUpdates();
  };
}
