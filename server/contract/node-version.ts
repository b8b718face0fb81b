/**
 * The oldest Node that the server runs on: the library for other registries asks for it, older ones lack a decompressor that is imported,
 * and the binary of SQLite crashes below 22.14. Imports nothing, as it is asked before anything else is loaded.
 */
export const oldestNode = '22.19.0';

/** Whether the server runs on a version of Node, as in `process.versions.node`. */
export function nodeCanServe(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
