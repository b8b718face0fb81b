import { useEffect } from 'react';

/**
 * Leaves a mark of this name in the page's timeline once the component is on the screen, for whoever measures the start
 * (`npm run bench:window`). The second frame is asked for because the first may still be the one without it.
 */
export function useShownMark(name: string): void {
  useEffect(() => {
    requestAnimationFrame(() => requestAnimationFrame(() => performance.mark(name)));
  }, [name]);
}
