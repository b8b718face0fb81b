import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { build } from 'vite';
import { copyAssets, parts, projectFolder } from './build.ts';
import { runInPlace, whenOrphaned } from './child.ts';
import { electronEnvironment, electronExecutable, electronSwitches, hasDisplay } from './electron.ts';

type Part = keyof typeof parts;

/**
 * `npm run dev`: the app, built anew on every change. The window reloads, the server and the main process restart. Without a display: the
 * server from its sources, restarted on every change. Arguments are those of `gatehouse serve`.
 */
async function dev(flags: readonly string[]): Promise<void> {
  if (!hasDisplay()) {
    const server = path.join(projectFolder, 'server/cli/main.ts');
    process.exitCode = await runInPlace(process.execPath, ['--watch', server, 'serve', ...flags], process.env);
    return;
  }
  const executable = electronExecutable();
  let app: ChildProcess | undefined;
  const startApp = (): void => {
    const reloader = path.join(import.meta.dirname, 'dev-reload.cjs');
    const started = spawn(executable, [...electronSwitches(), '-r', reloader, projectFolder], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: electronEnvironment(executable, flags),
    });
    // An app that is not replaced was closed by its user.
    started.once('exit', (code) => (app === started ? process.exit(code ?? 1) : startApp()));
    app = started;
  };
  const onChange = (part: Part): void => {
    console.error(`Built ${part}.`);
    if (part === 'renderer' || part === 'server') app?.send(part);
    else {
      const old = app;
      app = undefined;
      old?.kill('SIGTERM');
    }
  };
  const end = (): void => void app?.kill('SIGTERM');
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  whenOrphaned(end);
  for (const part of ['server', 'main', 'preload', 'renderer'] as const) await watch(part, onChange);
  startApp();
}

/** Builds a part, and again whenever one of its sources changes; resolves after the first time. */
async function watch(part: Part, onChange: (part: Part) => void): Promise<void> {
  const config = parts[part];
  const watcher = await build({ ...config, build: { ...('build' in config ? config.build : {}), watch: {} } });
  if (!('on' in watcher)) throw new Error(`${part} cannot be watched.`);
  await new Promise<void>((resolve) => {
    let isFirst = true;
    watcher.on('event', async (event) => {
      if (event.code === 'BUNDLE_END') await event.result.close();
      if (event.code === 'ERROR') console.error(event.error.message);
      if (event.code !== 'END') return;
      if (part === 'server') await copyAssets();
      if (isFirst) resolve();
      else onChange(part);
      isFirst = false;
    });
  });
}

await dev(process.argv.slice(2));
