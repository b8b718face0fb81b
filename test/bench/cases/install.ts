import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../../support/run-command.ts';
import type { Bench, Part } from '../bench.ts';
import { median } from '../measure/statistics.ts';
import { atMost } from '../report/row.ts';
import { npmCommand } from '../servers/npm-command.ts';
import { plainEnvironment } from '../servers/server-process.ts';
import { openArena } from './arena.ts';

const namePrefix = 'tree';

/**
 * A real `npm ci` of 300 packages with an empty cache. The lock file names no addresses, as `omit-lockfile-registry-resolved` writes
 * it, so npm asks for the packument and the tarball of each.
 */
export const install: Part = {
  name: 'install',
  async run(bench) {
    const count = bench.options.quick ? 60 : 300;
    const arena = await openArena(bench, 'install');
    try {
      const targets = [
        { name: 'gatehouse', origin: arena.gatehouse.origin, path: arena.publicPath, headers: arena.gatehouseHeaders },
        {
          name: 'verdaccio',
          origin: arena.verdaccio.origin,
          path: arena.verdaccioPath,
          headers: arena.verdaccioHeaders,
        },
      ] as const;
      for (const { origin, path: registryPath, headers } of targets) {
        await bench.load.run({
          kind: 'publishes',
          origin,
          registryPath,
          headers,
          namePrefix,
          tree: true,
          count,
          tarballSize: 20 * 1024,
          connections: 4,
        });
      }
      const project = path.join(bench.folder, 'install', 'project');
      await mkdir(project, { recursive: true });
      const manifest = {
        name: 'bench-project',
        version: '1.0.0',
        private: true,
        dependencies: { [`${namePrefix}-0`]: '^1.0.0' },
      };
      await writeFile(path.join(project, 'package.json'), JSON.stringify(manifest));
      await runNpm(bench, project, arena.gatehouse.origin + arena.publicPath, ['install', '--package-lock-only']);
      const times = { gatehouse: [] as number[], verdaccio: [] as number[] };
      for (let round = 0; round <= bench.options.rounds; round += 1) {
        for (const { name, origin, path: registryPath } of round % 2 === 0 ? targets : targets.toReversed()) {
          const seconds = await cleanInstall(bench, project, origin + registryPath, count);
          // The first round warms the disk's cache and is not counted.
          if (round > 0) times[name].push(seconds);
        }
      }
      bench.say(`npm ci: ${JSON.stringify(times)}`);
      const ratio = median(times.gatehouse.map((time, round) => time / (times.verdaccio[round] ?? Number.NaN)));
      const rows = [
        {
          part: 'install',
          work: `npm ci of ${count} packages`,
          unit: 's',
          gatehouse: median(times.gatehouse),
          verdaccio: median(times.verdaccio),
          goals: [atMost('Verdaccio', ratio, 1)],
        },
      ];
      return { rows };
    } finally {
      await arena.stop();
    }
  },
};

async function cleanInstall(bench: Bench, project: string, registry: string, count: number): Promise<number> {
  await rm(path.join(project, 'node_modules'), { recursive: true, force: true });
  const from = performance.now();
  await runNpm(bench, project, registry, ['ci']);
  const seconds = (performance.now() - from) / 1000;
  const installed = (await readdir(path.join(project, 'node_modules'))).filter((name) => !name.startsWith('.'));
  if (installed.length !== count) throw new Error(`npm ci installed ${installed.length} packages, not ${count}.`);
  return seconds;
}

/** Runs npm with a home, a configuration and an empty cache of its own. */
async function runNpm(bench: Bench, project: string, registry: string, args: readonly string[]): Promise<void> {
  const home = path.join(bench.folder, 'install', 'home');
  await rm(home, { recursive: true, force: true });
  await mkdir(home, { recursive: true });
  const settings = [`registry=${registry}`, 'audit=false', 'fund=false', 'omit-lockfile-registry-resolved=true'];
  await writeFile(path.join(home, '.npmrc'), `${settings.join('\n')}\nupdate-notifier=false\nfetch-retries=0\n`);
  const [command, ...first] = npmCommand();
  const { code, output } = await runCommand(command, [...first, ...args], {
    cwd: project,
    env: {
      ...plainEnvironment(),
      HOME: home,
      npm_config_userconfig: path.join(home, '.npmrc'),
      npm_config_cache: path.join(home, 'cache'),
    },
    timeLimit: 180_000,
  });
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${output}`);
}
