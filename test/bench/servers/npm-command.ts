/** The npm that this was started with (`npm run bench`), run by this Node; else the one on the path. */
export function npmCommand(): [command: string, ...args: string[]] {
  const script = process.env['npm_execpath'];
  return script?.endsWith('.js') ? [process.execPath, script] : ['npm'];
}
