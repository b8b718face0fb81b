import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { GatehouseProcess, type ServerOptions } from '../../support/gatehouse-process.ts';

/** The folder of the test that runs, once `useDataFolder` has made it. */
export let dataDir = '';
const running: GatehouseProcess[] = [];

/** Gives each test of a file an empty folder; kills the servers that `start` started and deletes it afterwards. */
export function useDataFolder(): void {
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-faults-'));
  });
  afterEach(async () => {
    for (const server of running.splice(0)) await server.kill();
    rmSync(dataDir, { recursive: true, force: true });
  });
}

/** Starts a server on the folder of the test. */
export async function start(options: Partial<ServerOptions> = {}): Promise<GatehouseProcess> {
  const server = await GatehouseProcess.start({ dataDir, ...options });
  running.push(server);
  return server;
}
