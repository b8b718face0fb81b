import { constants, existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import type { CallReply, TarballPlace, VersionSubject } from '../../../server/contract/bridge.ts';
import type { ServerHost } from '../host/server-host.ts';
import { showFile } from '../windows/external-links.ts';
import { chooseNewFile } from './file-dialogs.ts';
import { failure, messageOf } from './ipc.ts';

/** Copies of tarballs for the person at the window. The page names a version; every path comes from the server or from the system's dialog. */
export class Tarballs {
  readonly #host: Pick<ServerHost, 'call'>;
  /** Where each version was saved last. */
  readonly #saved = new Map<string, string>();

  constructor(host: Pick<ServerHost, 'call'>) {
    this.#host = host;
  }

  /** Saves the tarball where the person chooses; resolves to the path, or null if cancelled. */
  async download(subject: VersionSubject): Promise<CallReply<string | null>> {
    const located = await this.#host.call('contents.tarball', subject);
    if (!located.ok) return located;
    const target = await chooseNewFile({
      title: 'Save the tarball as',
      suggestedName: located.value.name,
      extensions: ['tgz'],
    });
    if (target === null) return { ok: true, value: null };
    try {
      // Linked where the file system can, so that a large one is there at once.
      await copyFile(located.value.file, target, constants.COPYFILE_FICLONE);
    } catch (error) {
      return failure(`The tarball could not be saved: ${messageOf(error)}`);
    }
    this.#saved.set(keyOf(subject), target);
    return { ok: true, value: target };
  }

  /** Shows the file in the file manager: where it was saved last, if that is asked for and it is still there, else in the data folder. */
  async show(subject: VersionSubject, which: TarballPlace): Promise<CallReply<null>> {
    const saved = which === 'saved' ? this.#saved.get(keyOf(subject)) : undefined;
    if (saved !== undefined && existsSync(saved)) {
      showFile(saved);
      return { ok: true, value: null };
    }
    const located = await this.#host.call('contents.tarball', subject);
    if (!located.ok) return located;
    if (!existsSync(located.value.file))
      return failure('The tarball is missing. Check and repair the data under Backups.');
    showFile(located.value.file);
    return { ok: true, value: null };
  }
}

function keyOf({ packageId, version }: VersionSubject): string {
  return `${packageId} ${version}`;
}
