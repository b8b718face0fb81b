import { shell } from 'electron';

/** The form of `url` that may be handed to the person's browser: http and https without credentials; null for anything else. */
export function externalUrl(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null) return null;
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return null;
  return parsed.username === '' && parsed.password === '' ? parsed.href : null;
}

/** The one door out of the app: opens a web link in the person's browser. Resolves to false for what is not a web link. */
export async function openExternalLink(url: string): Promise<boolean> {
  const checked = externalUrl(url);
  if (checked === null) return false;
  await shell.openExternal(checked);
  return true;
}

/** Shows a folder of ours in the file manager. `folder` never comes from the page. */
export async function showFolder(folder: string): Promise<void> {
  await shell.openPath(folder);
}
