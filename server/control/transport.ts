import { messageToServer } from '../contract/link.ts';
import type { MessageFromServer, MessageToServer } from '../contract/link.ts';

/** One end of the control link, however its messages travel. */
export interface Transport {
  send(message: MessageFromServer): void;
  onMessage(listener: (message: MessageToServer) => void): void;
  /** Called when the other end is gone. */
  onClose(listener: () => void): void;
  close(): void;
}

interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  on(event: 'close', listener: () => void): void;
}

/** The transport to the desktop app that started this process: a utility process's port, or the channel of a forked Node. */
export function parentTransport(): Transport {
  const { parentPort } = process as NodeJS.Process & { parentPort?: ParentPort };
  if (parentPort) {
    return {
      // A process has no origin, which the rule asks for.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      send: (message) => parentPort.postMessage(message),
      onMessage: (listener) => parentPort.on('message', (event) => pass(event.data, listener)),
      onClose: (listener) => parentPort.on('close', listener),
      // The port of a utility process cannot be closed from here.
      close: () => process.exit(),
    };
  }
  if (!process.send)
    throw new Error('--control is for the desktop app, which talks to this process; run "gatehouse serve" without it.');
  return {
    send: (message) => {
      if (process.connected) process.send?.(message);
    },
    onMessage: (listener) => process.on('message', (message) => pass(message, listener)),
    onClose: (listener) => {
      // The app may have ended while this process started.
      if (process.connected) process.on('disconnect', listener);
      else listener();
    },
    close: () => {
      if (process.connected) process.disconnect();
    },
  };
}

/** Drops what is no message of the link. */
function pass(raw: unknown, listener: (message: MessageToServer) => void): void {
  const { data } = messageToServer.safeParse(raw);
  if (data) listener(data);
}
