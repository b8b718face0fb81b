import type { MessageFromServer } from '../contract/link.ts';

/** One end of the control link, whichever way its messages travel. */
export interface Carrier {
  send(message: MessageFromServer): void;
  /** Messages come unchecked. */
  onMessage(listener: (message: unknown) => void): void;
  /** Called when the other end is gone. */
  onGone(listener: () => void): void;
  disconnect(): void;
}

interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  on(event: 'close', listener: () => void): void;
}

/** The carrier that this process was started with: a utility process's port, or the channel of a forked Node. */
export function connectCarrier(): Carrier {
  const { parentPort } = process as NodeJS.Process & { parentPort?: ParentPort };
  if (parentPort) {
    return {
      // A process has no origin, which the rule asks for.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      send: (message) => parentPort.postMessage(message),
      onMessage: (listener) => parentPort.on('message', (event) => listener(event.data)),
      onGone: (listener) => parentPort.on('close', listener),
      // A utility process ends by itself; its port has nothing that could be closed from here.
      disconnect: () => process.exit(),
    };
  }
  if (!process.send)
    throw new Error('--control is for the desktop app, which talks to this process; run "gatehouse serve" without it.');
  return {
    send: (message) => {
      if (process.connected) process.send?.(message);
    },
    onMessage: (listener) => process.on('message', listener),
    onGone: (listener) => process.on('disconnect', listener),
    disconnect: () => {
      if (process.connected) process.disconnect();
    },
  };
}
