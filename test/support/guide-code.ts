import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The blocks of code of a page of the docs, in their order. @param page path from the top folder */
export function codeBlocks(page: string, language: string): string[] {
  const text = readFileSync(path.resolve(import.meta.dirname, '../..', page), 'utf8');
  const blocks = text.matchAll(/^```(?<language>\w+)\n(?<code>[^]*?)^```$/gm);
  return [...blocks].flatMap(({ groups }) => (groups?.['language'] === language ? [groups['code'] ?? ''] : []));
}
