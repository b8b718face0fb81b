import { shell } from 'electron';

/** `url` if it may be opened in the browser: http or https without credentials; null for anything else. */
export function externalUrl(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null) return null;
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return null;
  return parsed.username === '' && parsed.password === '' ? parsed.href : null;
}

/** Opens a web link in the person's browser: the only way out of the app. Resolves to false for any other link. */
export async function openExternalLink(url: string): Promise<boolean> {
  const checked = externalUrl(url);
  if (checked === null) return false;
  await shell.openExternal(checked);
  return true;
}

/** Selects a file in the file manager. `file` never comes from the page. */
export function showFile(file: string): void {
  shell.showItemInFolder(file);
}

/** Shows a folder in the file manager. `folder` never comes from the page. @throws Error that names it and says why it cannot be shown */
export async function showFolder(folder: string): Promise<void> {
  const refusal = await shell.openPath(folder);
  if (refusal !== '') throw new Error(`The folder ${folder} cannot be shown: ${refusal}`);
}
