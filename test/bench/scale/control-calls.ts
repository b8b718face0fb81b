import { messageFromServer } from '../../../server/contract/link.ts';
import type { ServerProcess } from '../servers/server-process.ts';

/** Calls a server over the desktop app's control link, as its window does. */
export class ControlCalls {
  readonly #server: ServerProcess;
  #last = 0;

  /** @param server started with `control` */
  constructor(server: ServerProcess) {
    this.#server = server;
  }

  /** @throws Error if the server refuses. */
  call(method: string, params: unknown): Promise<unknown> {
    this.#last += 1;
    const id = this.#last;
    const { child } = this.#server;
    return new Promise((resolve, reject) => {
      const receive = (message: unknown): void => {
        const parsed = messageFromServer.safeParse(message);
        if (!parsed.success || parsed.data.kind !== 'reply' || parsed.data.id !== id) return;
        child.off('message', receive);
        if (parsed.data.ok) resolve(parsed.data.value);
        else reject(new Error(`${method}: ${parsed.data.error.message}`));
      };
      child.on('message', receive);
      child.send({ kind: 'request', id, caller: 'window', method, params });
    });
  }
}
