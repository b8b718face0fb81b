import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** What decides whether Chromium can build its sandbox on Linux. */
export interface SandboxFacts {
  /** Ubuntu from 24.04 on lets AppArmor refuse what the sandbox is built with. */
  readonly namespacesRestricted: boolean;
  /** Whether the helper beside Electron belongs to root and is set-user-ID, which is the other way. */
  readonly helperIsSetUid: boolean;
}

/** What to do about an Electron that cannot build its sandbox; null where it can. `folder` is the one with Electron in it. */
export function sandboxHint({ namespacesRestricted, helperIsSetUid }: SandboxFacts, folder: string): string | null {
  if (!namespacesRestricted || helperIsSetUid) return null;
  const helper = path.join(folder, 'chrome-sandbox');
  return (
    'If the window does not open: this system keeps Chromium from building its sandbox. Either of these helps, once:\n' +
    `  sudo chown root "${helper}" && sudo chmod 4755 "${helper}"\n` +
    '  sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0'
  );
}

/** Looks at this machine. Nothing is restricted for root, who runs without that sandbox. */
export async function sandboxFacts(folder: string): Promise<SandboxFacts> {
  const setting = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
  const restricted = await readFile(setting, 'utf8').catch(() => '0');
  const helper = await stat(path.join(folder, 'chrome-sandbox')).catch(() => null);
  return {
    namespacesRestricted: restricted.trim() === '1' && process.getuid?.() !== 0,
    helperIsSetUid: helper !== null && helper.uid === 0 && (helper.mode & 0o4000) !== 0,
  };
}
