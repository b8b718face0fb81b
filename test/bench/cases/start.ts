import path from 'node:path';
import { interleave, type Bench, type Row } from '../compare.ts';
import type { Contender } from '../contenders.ts';

/** From the spawn to the first good answer, on a folder that was used before. */
export async function start(bench: Bench, contenders: readonly Contender[]): Promise<Row[]> {
  const rounds = await interleave(bench, contenders, async (contender) => {
    const server = await contender.start(path.join(bench.folder, contender.name));
    await server.stop();
    return { start: server.startMs };
  });
  return [{ work: 'server start', unit: 'ms', rounds: rounds('start'), goal: '≤ 0.4 × verdaccio' }];
}
