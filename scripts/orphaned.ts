/**
 * Calls back when the process that started this one is gone. npm runs scripts in a shell; told to end, npm ends that shell alone, and what
 * runs inside would stay behind with its port. Does nothing outside of npm, where being left by one's parent is what a daemon wants.
 */
export function whenOrphaned(callback: () => void, environment: NodeJS.ProcessEnv = process.env): void {
  if (environment['npm_lifecycle_event'] === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, 250);
  timer.unref();
}
