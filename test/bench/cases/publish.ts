import type { Part } from '../bench.ts';
import type { LoadJob } from '../measure/load-job.ts';
import { compare } from '../measure/rounds.ts';
import { atLeast } from '../report/row.ts';
import type { Row } from '../report/row.ts';
import { openArena } from './arena.ts';

/** Publishes of 20 KB, each a package of its own, durable here and not there. */
export const publish: Part = {
  name: 'publish',
  async run(bench) {
    const arena = await openArena(bench, 'publish');
    try {
      const rows: Row[] = [];
      for (const connections of [1, 8]) {
        const work = `publish 20 KB, ${connections === 1 ? 'one after another' : 'eight at once'}`;
        const job = (
          server: 'gatehouse' | 'verdaccio',
          registryPath: string,
          headers: Readonly<Record<string, string>>,
        ) => ({
          name: server,
          pid: arena[server].pid,
          job: (round: number): LoadJob => ({
            kind: 'publishes',
            origin: arena[server].origin,
            registryPath,
            headers,
            namePrefix: `publish-${connections}-${round}`,
            count: bench.options.quick ? 100 : connections * 100 + 300,
            tarballSize: 20 * 1024,
            connections,
          }),
        });
        const comparison = await compare(bench, work, [
          job('gatehouse', arena.publicPath, arena.gatehouseHeaders),
          job('verdaccio', arena.verdaccioPath, arena.verdaccioHeaders),
        ]);
        rows.push({
          part: 'publish',
          work,
          unit: '/s',
          gatehouse: comparison.median('gatehouse'),
          verdaccio: comparison.median('verdaccio'),
          goals: [atLeast('Verdaccio', comparison.ratio('gatehouse', 'verdaccio'), 4)],
        });
      }
      return { rows };
    } finally {
      await arena.stop();
    }
  },
};
