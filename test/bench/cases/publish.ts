import { interleave, type Bench, type Row } from '../compare.ts';
import type { Registry } from '../contenders.ts';
import { makeUpload, publish as send } from '../packages.ts';

const size = 20 * 1024;

/** Publishes of 20 KB over HTTP, each of a package of its own. Gatehouse answers when the package is on disk, Verdaccio does not. */
export async function publish(bench: Bench, registries: readonly Registry[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [parallel, work, goal] of [
    [1, 'publish 20 KB, one after another', '≥ 2.5 × verdaccio'],
    [8, 'publish 20 KB, eight at once', '≥ 2 × verdaccio'],
  ] as const) {
    const rounds = await interleave(bench, registries, (registry, round) => measure(registry, parallel, round));
    rows.push({ work, unit: '/s', rounds: rounds('rate'), goal });
    if (parallel > 1) rows.push({ work: 'p99 of a publish while eight run', unit: 'ms', rounds: rounds('p99') });
  }
  return rows;
}

async function measure(registry: Registry, parallel: number, round: number): Promise<Record<'rate' | 'p99', number>> {
  const uploads = await Promise.all(
    Array.from({ length: 150 + parallel * 50 }, (_, index) =>
      makeUpload(`publish-${parallel}-${round}-${index}`, '1.0.0', size),
    ),
  );
  const waits: number[] = [];
  const queue = uploads.values();
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (const upload of queue) waits.push(await send(registry, upload));
    }),
  );
  const rate = (uploads.length * 1_000) / (performance.now() - begun);
  return { rate, p99: waits.toSorted((one, other) => one - other)[Math.floor(waits.length * 0.99)] ?? Number.NaN };
}
