/** Milliseconds after which a busy page waits no longer. */
const patience = 500;

/** Runs `work` when the window has been painted and has time. Returns the function that calls it off. */
export function afterFirstPaint(work: () => void): () => void {
  let idle = 0;
  const observer = new PerformanceObserver(() => {
    observer.disconnect();
    idle = requestIdleCallback(work, { timeout: patience });
  });
  observer.observe({ type: 'paint', buffered: true });
  return () => {
    observer.disconnect();
    cancelIdleCallback(idle);
  };
}
