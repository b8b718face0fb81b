import path from 'node:path';
import { rm } from 'node:fs/promises';
import { request } from 'undici';
import { interleave, type Bench, type Row } from '../compare.ts';
import type { Registry } from '../contenders.ts';
import { makeUpload, publish, publishFile, writeLargeUpload } from '../packages.ts';
import { memoryOf, resetPeak } from '../process-facts.ts';

/** What a publish of 200 MB costs the others: how long their requests wait, and memory. */
export async function large(bench: Bench, registries: readonly Registry[]): Promise<Row[]> {
  const small = await makeUpload('beside-large', '1.0.0', 1_024);
  for (const registry of registries) await publish(registry, small);
  const rounds = await interleave(bench, registries, async (registry, round) => {
    const file = path.join(bench.folder, 'large.json');
    // The first round only has the code loaded and compiled.
    await writeLargeUpload(file, `large-${round}`, (round === 0 ? 20 : 200) * 1024 * 1024);
    resetPeak(registry.pid);
    const before = memoryOf(registry.pid).now;
    const begun = performance.now();
    const done = new AbortController();
    const upload = publishFile(registry, `large-${round}`, file).finally(() => done.abort());
    let longest = 0;
    while (!done.signal.aborted) longest = Math.max(longest, await timeOf(registry.url + small.name));
    await upload;
    const seconds = (performance.now() - begun) / 1_000;
    await rm(file);
    return { longest, growth: memoryOf(registry.pid).peak - before, seconds };
  });
  return [
    { work: 'publish 200 MB', unit: 's', rounds: rounds('seconds') },
    { work: 'longest wait of another request', unit: 'ms', rounds: rounds('longest'), goal: '≤ 50 ms' },
    { work: 'growth of memory', unit: 'MiB', rounds: rounds('growth'), goal: '≤ 48 MiB' },
  ];
}

async function timeOf(url: string): Promise<number> {
  const begun = performance.now();
  await (await request(url)).body.dump();
  const wait = performance.now() - begun;
  await new Promise((resolve) => setTimeout(resolve, 2));
  return wait;
}
