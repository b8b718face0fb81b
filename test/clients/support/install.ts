import { stat } from 'node:fs/promises';
import path from 'node:path';
import { runOrThrow } from '../../support/run-command.ts';

/** Set-up of the suite: installs the package managers, in a folder of their own where their names shadow nothing. */
export default async function installClients(): Promise<void> {
  const folder = path.resolve(import.meta.dirname, '..');
  const [wanted, installed] = await Promise.all(
    ['package-lock.json', 'node_modules/.package-lock.json'].map((file) =>
      stat(path.join(folder, file)).catch(() => null),
    ),
  );
  if (installed && wanted && installed.mtimeMs >= wanted.mtimeMs) return;
  await runOrThrow('npm', ['ci', '--prefix', folder], { timeLimit: 600_000 });
}
