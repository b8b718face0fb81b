/** Runs `work` after `milliseconds` without keeping the process alive; answers how to call it off. */
export function later(milliseconds: number, work: () => void): () => void {
  const timer = setTimeout(work, milliseconds);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Calls `work` at once, then not again within `milliseconds`, then once more if it was asked for meanwhile. */
export function atMostEvery(milliseconds: number, work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  const pass = (): void => {
    timer = undefined;
    if (!again) return;
    again = false;
    run();
  };
  const run = (): void => {
    if (timer) {
      again = true;
      return;
    }
    timer = setTimeout(pass, milliseconds);
    timer.unref();
    work();
  };
  return run;
}
