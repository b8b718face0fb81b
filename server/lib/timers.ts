/** Runs `work` after `milliseconds` without keeping the process alive; returns how to cancel that. */
export function schedule(milliseconds: number, work: () => void): () => void {
  const timer = setTimeout(work, milliseconds);
  timer.unref();
  return () => clearTimeout(timer);
}

/** A function that runs `work` at once, but at most every `milliseconds`; calls in between run it once at the end of the interval. */
export function throttle(milliseconds: number, work: () => void): () => void {
  let isWaiting = false;
  let isPending = false;
  return function run(): void {
    if (isWaiting) {
      isPending = true;
      return;
    }
    isWaiting = true;
    schedule(milliseconds, () => {
      isWaiting = false;
      if (!isPending) return;
      isPending = false;
      run();
    });
    work();
  };
}
