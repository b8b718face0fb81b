import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
}

/**
 * The licences of the packages that bundled modules come from, as one document.
 * @param modules paths of the modules, as the bundler names them
 */
export function thirdPartyNotices(modules: Iterable<string>): string {
  const folders = new Set<string>();
  for (const module of modules) {
    const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(module)?.[0];
    if (folder !== undefined && existsSync(path.join(folder, 'package.json'))) folders.add(folder);
  }
  const notices = [...folders].map(noticeOf);
  const unique = [...new Set(notices)].toSorted();
  return ['# Third-party notices', 'Gatehouse contains code of these packages.', ...unique].join('\n\n');
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.|$)/i.test(entry));
  // Some packages name their licence only in the manifest.
  const text = file === undefined ? '' : `\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}`;
  return `## ${name} ${version}\n\nLicense: ${license ?? 'see below'}${text}`;
}
