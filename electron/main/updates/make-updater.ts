import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { app, session } from 'electron';
import { parse } from 'yaml';
import { z } from 'zod';
import { replaceableAppImage } from './app-image.ts';
import { feedAddress, isSafe } from './feed-address.ts';
import type { Fetch } from './fetch-update.ts';
import { Updater } from './updater.ts';

/** The updater of this app: what it runs on, and the network as the system has it set up (proxies, certificates of its own). */
export async function makeUpdater(chosenFeed: () => string | null): Promise<Updater> {
  return new Updater({
    target: { platform: process.platform, arch: process.arch },
    version: app.getVersion(),
    chosenFeed,
    builtInFeed: await builtInFeed(),
    appImage: await replaceableAppImage(process.platform, process.env),
    folder: path.join(app.getPath('userData'), 'updates'),
    fetch: ownFetch(),
  });
}

/** The address that `publish` of electron-builder.yml leaves beside the app when it is packed. */
async function builtInFeed(): Promise<string | null> {
  if (!app.isPackaged) return null;
  try {
    const text = await readFile(path.join(process.resourcesPath, 'app-update.yml'), 'utf8');
    const { url } = z.object({ provider: z.literal('generic'), url: z.string() }).parse(parse(text));
    return feedAddress(url).href;
  } catch {
    return null;
  }
}

/** Requests apart from the page's session, which lets nothing out: without cookies and cache, and to safe addresses alone, redirects included. */
function ownFetch(): Fetch {
  const own = session.fromPartition('updates', { cache: false });
  own.webRequest.onBeforeRequest((details, answer) => {
    const url = URL.parse(details.url);
    answer({ cancel: url === null || !isSafe(url) });
  });
  return (url, init) => own.fetch(url, { ...init, credentials: 'omit' });
}
