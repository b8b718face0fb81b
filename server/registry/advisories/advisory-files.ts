import { readdir, readFile, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { GatehouseError } from '../../contract/errors.ts';

/**
 * The JSON documents in files, and in the `.json` files of folders, read one at a time.
 * @throws GatehouseError `invalid_request` naming a path that is not absolute or cannot be read.
 */
export async function* readAdvisoryFiles(
  paths: readonly string[],
): AsyncGenerator<{ readonly source: string; readonly value: unknown }> {
  for (const path of paths) {
    for (const file of await filesIn(path)) {
      let value: unknown;
      try {
        value = JSON.parse(await readFile(file, 'utf8'));
      } catch (error) {
        throw unreadable(file, error);
      }
      yield { source: file, value };
    }
  }
}

async function filesIn(path: string): Promise<string[]> {
  if (!isAbsolute(path)) throw new GatehouseError('invalid_request', `"${path}" is not an absolute path.`);
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted();
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): GatehouseError {
  const reason = error instanceof Error ? error.message : String(error);
  return new GatehouseError('invalid_request', `${path} cannot be read as JSON: ${reason}`);
}
