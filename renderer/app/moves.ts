import type { AnyRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isCovered } from '../ui/forms/layers.ts';

/** The addresses between which the router moved last. */
let lastMove: { from: string | undefined; to: string } | undefined;

/**
 * The screen that this one is a part of: a package's is the list, a version's is its package, a user's is the list of users.
 * Undefined for all others.
 */
export function parentPath(path: string): string | undefined {
  const list = /^\/people\/(users|projects|groups)\/[^/]+$/.exec(path)?.[1];
  if (list !== undefined) return `/people?tab=${list}`;
  if (/^\/packages\/[^/]+\/versions\/[^/]+$/.test(path)) return path.replace(/\/versions\/[^/]+$/, '');
  return /^\/packages\/[^/]+$/.test(path) ? '/packages' : undefined;
}

/** Leaves a part for the screen it belongs to: back, with search and order as they were, where that is the screen before. */
export function goUp(router: AnyRouter): void {
  const { pathname } = router.state.location as { pathname: string };
  const parent = parentPath(pathname);
  if (parent === undefined) return;
  if (lastMove?.to === pathname && lastMove.from === parent.split('?')[0]) router.history.back();
  else router.history.push(parent);
}

/** Resolves when the screen that was gone to last is drawn; at first its code may still have to be loaded. */
export function drawn(router: AnyRouter): Promise<void> {
  if (router.state.status === 'idle') return Promise.resolve();
  return new Promise((resolve) => {
    const stop = router.subscribe('onResolved', () => {
      stop();
      resolve();
    });
  });
}

/** Remembers the moves for `goUp`, and keeps the side buttons of the mouse from leaving what is typed in a dialog. */
export function useMoves(router: AnyRouter): void {
  useEffect(() => {
    const keepDialog = (event: MouseEvent) => {
      // 3 and 4: back and forward.
      if (event.button >= 3 && isCovered()) event.preventDefault();
    };
    addEventListener('mouseup', keepDialog, { capture: true });
    return () => removeEventListener('mouseup', keepDialog, { capture: true });
  }, []);
  useEffect(
    () =>
      router.subscribe('onResolved', ({ fromLocation, toLocation }) => {
        if (fromLocation?.pathname !== toLocation.pathname) {
          lastMove = { from: fromLocation?.pathname, to: toLocation.pathname };
        }
      }),
    [router],
  );
}
