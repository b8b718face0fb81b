import { setTimeout as delay } from 'node:timers/promises';
import { createLocalClient, connectToServer } from './control/client.ts';
import type { ControlClient } from './control/client.ts';
import { StartupError } from './lib/startup-error.ts';
import { readHolder } from './storage/folder-holder.ts';

export type { ControlClient } from './control/client.ts';

/** Milliseconds that a command waits for another one to release the data folder, or for a server that is starting to answer. */
const lockTimeout = 10_000;
const retryInterval = 50;

/**
 * Opens a data folder for one command: over the control socket if a server holds the folder, else in this process.
 * @param dataDir absolute path; made if it is missing
 * @throws StartupError if the folder can't be opened.
 */
export async function openClient(dataDir: string): Promise<ControlClient> {
  const deadline = Date.now() + lockTimeout;
  for (;;) {
    const client = await connectToServer(dataDir, readHolder(dataDir)?.socket ?? undefined);
    if (client) return client;
    const { openRegistry } = await import('./compose.ts');
    try {
      const rootToken = process.env['GATEHOUSE_ROOT_TOKEN'];
      return createLocalClient(await openRegistry({ dataDir, rootToken, background: false }));
    } catch (error) {
      const isLocked = error instanceof StartupError && error.failure === 'dataFolderLocked';
      if (!isLocked || Date.now() > deadline) throw error;
    }
    await delay(retryInterval);
  }
}
