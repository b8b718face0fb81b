import { access } from 'node:fs/promises';
import { runOrThrow } from './run-command.ts';

/**
 * Installs packages of Debian, as root.
 * @throws Error that names what is missing and the command to run, elsewhere.
 */
export async function installPackages(packages: readonly string[], missing: string): Promise<void> {
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  const hasApt = await access('/usr/bin/apt-get').then(
    () => true,
    () => false,
  );
  if (!hasApt || process.getuid?.() !== 0) {
    throw new Error(`${missing} On Debian: sudo apt-get update && sudo apt-get ${install.join(' ')}`);
  }
  console.log(`Installing system packages: ${packages.join(', ')} …`);
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeLimit: 600_000 };
  await runOrThrow('apt-get', ['update'], options);
  await runOrThrow('apt-get', install, options);
}
