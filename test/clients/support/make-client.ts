import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { makeBun } from './bun.ts';
import type { Client, ClientName, ClientOptions } from './client.ts';
import type { Gatehouse } from './gatehouse.ts';
import { makeNpm } from './npm.ts';
import { makePnpm } from './pnpm.ts';
import { makeYarnBerry } from './yarn-berry.ts';
import { makeYarnClassic } from './yarn-classic.ts';

/** A client with a new, empty home, pointed at a registry of Gatehouse: the project `local/packages` as root unless said otherwise. */
export async function makeClient(
  name: ClientName,
  gatehouse: Gatehouse,
  options: Partial<ClientOptions> = {},
): Promise<Client> {
  const home = path.join(gatehouse.workFolder, `${name}-${randomUUID().slice(0, 8)}`);
  const complete = { registry: gatehouse.projectRegistry(), token: gatehouse.people.root.token, ...options };
  switch (name) {
    case 'npm8':
    case 'npm10':
    case 'npm11':
    case 'npm12':
      return makeNpm(name, home, complete);
    case 'pnpm9':
    case 'pnpm10':
    case 'pnpm12':
      return makePnpm(name, home, complete);
    case 'yarn1':
      return makeYarnClassic(home, complete);
    case 'yarn4':
      return makeYarnBerry(home, { ...complete, minimalAge: 0 });
    case 'bun':
      return makeBun(home, complete);
  }
}
