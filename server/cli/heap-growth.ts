import { setFlagsFromString } from 'node:v8';

/** By how many per cent the heap may grow beyond what survived a collection before V8 marks it anew. */
const percent = 150;

/**
 * Lets V8 mark the heap less often. It counts the bytes of uploads and answers, which become garbage at once, as growth of a heap that is
 * small; so under load it marked the same few megabytes twenty times a second, which took a fifth of all the time that the server used. Not inside
 * Electron, which freezes V8's flags.
 */
export function letHeapGrow(): void {
  if (process.versions['electron'] !== undefined) return;
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
