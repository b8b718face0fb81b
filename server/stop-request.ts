import { parentTransport } from './control/transport.ts';

/** Aborted when a signal asks this process to stop, or the desktop app that started it. A second signal ends it at once. */
export function stopRequest(): AbortSignal {
  const request = new AbortController();
  const stop = (): void => request.abort(new Error('It was cancelled.'));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  if (process.connected || 'parentPort' in process) {
    const app = parentTransport();
    app.onMessage(({ kind }) => {
      if (kind === 'shutdown') stop();
    });
    app.onClose(stop);
    // The link does not keep a process that is done.
    process.channel?.unref();
  }
  return request.signal;
}
