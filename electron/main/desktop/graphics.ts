import { existsSync } from 'node:fs';

/**
 * Whether to draw pages in software: on a Linux without a graphics device, such as a virtual machine. Chromium detects that by itself, but
 * its first page sometimes hangs while it does.
 */
export function drawsInSoftware(
  platform: NodeJS.Platform = process.platform,
  exists: (path: string) => boolean = existsSync,
): boolean {
  return platform === 'linux' && !exists('/dev/dri');
}
