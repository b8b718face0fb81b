/** Milliseconds after which a page that is never idle has waited long enough. */
const longestWait = 500;

/** Resolves when the page has drawn what it had to and has nothing else to do. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    requestIdleCallback(() => resolve(), { timeout: longestWait });
  });
}
