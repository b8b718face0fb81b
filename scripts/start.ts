import path from 'node:path';
import { buildIfStale, projectFolder } from './build.ts';
import { runInPlace } from './child.ts';
import { electronEnvironment, electronExecutable, electronSwitches, hasDisplay, sandboxHint } from './electron.ts';

/** `npm start`: the window where there can be one, else the same registry without it. Arguments are those of `gatehouse serve`. */
async function start(flags: readonly string[]): Promise<number> {
  let executable: string;
  try {
    if (!hasDisplay()) throw new Error('There is no display.');
    executable = electronExecutable();
  } catch (error) {
    console.error(`No window: ${error instanceof Error ? error.message : String(error)} Serving without it.`);
    const server = path.join(projectFolder, 'server/cli/main.ts');
    return runInPlace(process.execPath, [server, 'serve', ...flags], process.env);
  }
  await buildIfStale();
  const hint = sandboxHint(executable);
  if (hint !== null) console.error(hint);
  return runInPlace(executable, [...electronSwitches(), projectFolder], electronEnvironment(executable, flags));
}

process.exitCode = await start(process.argv.slice(2));
