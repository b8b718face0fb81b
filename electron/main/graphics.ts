import { existsSync } from 'node:fs';

/**
 * Whether pages are to be drawn without a graphics processor: on a Linux that has no device for one, such as a virtual machine or a
 * build server. Chromium finds that out by itself, but now and then its first page waits for ever while it does.
 */
export function drawsInSoftware(
  platform: NodeJS.Platform = process.platform,
  exists: (path: string) => boolean = existsSync,
): boolean {
  return platform === 'linux' && !exists('/dev/dri');
}
