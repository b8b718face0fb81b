import { rm } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../../support/run-command.ts';
import type { Part } from '../bench.ts';
import { median } from '../measure/statistics.ts';
import { below, atLeast } from '../report/row.ts';
import { writeLargeUpload } from '../samples/large-upload.ts';
import { sampleManifest } from '../samples/sample-package.ts';
import { prepareDataFolder, registryPathOf, rootToken, startGatehouse } from '../servers/gatehouse.ts';
import { forgetPeak, memoryOf } from '../servers/server-process.ts';

const name = 'large-upload';
const megabyte = 1024 * 1024;

/** One publish of 200 MB: how much memory the server takes for it, and how it compares with decoding and hashing alone. */
export const largePublish: Part = {
  name: 'large-publish',
  async run(bench) {
    const size = (bench.options.quick ? 40 : 200) * megabyte;
    const dataDir = path.join(bench.folder, 'large');
    const { publicId } = await prepareDataFolder(dataDir);
    const server = await startGatehouse({ dataDir, program: bench.options.program });
    const registryPath = registryPathOf(publicId);
    const headers = { authorization: `Bearer ${rootToken}` };
    const file = path.join(bench.folder, 'large-upload.json');
    const upload = async (version: string, bytes: number): Promise<number> => {
      await writeLargeUpload(file, sampleManifest(name, version), bytes);
      forgetPeak(server.pid);
      const job = { kind: 'upload', origin: server.origin, path: registryPath + name, headers, file } as const;
      return (await bench.load.run(job)).seconds;
    };
    try {
      // So that the code is loaded and compiled, as it is in a server that has run for a while.
      await upload('0.0.1', 5 * megabyte);
      const seconds: number[] = [];
      const decoding: number[] = [];
      const growth: number[] = [];
      for (let round = 0; round < Math.min(3, bench.options.rounds); round += 1) {
        const before = memoryOf(server.pid).now;
        seconds.push(await upload(`1.0.${round}`, size));
        growth.push((memoryOf(server.pid).peak - before) / megabyte);
        decoding.push(await decodeAlone(file));
        await rm(file);
      }
      const speeds = seconds.map((value) => size / megabyte / value);
      const ratio = median(seconds.map((value, round) => (decoding[round] ?? Number.NaN) / value));
      bench.say(`publish of ${size / megabyte} MB: ${seconds.map((value) => value.toFixed(2)).join(', ')} s`);
      const rows = [
        {
          part: 'large-publish',
          work: `publish ${size / megabyte} MB, speed`,
          unit: 'MB/s',
          gatehouse: median(speeds),
          bare: size / megabyte / median(decoding),
          goals: [atLeast('decoding and hashing in Node', ratio, 0.5)],
        },
        {
          part: 'large-publish',
          work: `publish ${size / megabyte} MB, growth of memory`,
          unit: 'MB',
          gatehouse: Math.max(...growth),
          goals: [below('at the peak of any round', Math.max(...growth), 48, 'MB')],
        },
      ];
      return { rows };
    } finally {
      await server.stop();
    }
  },
};

async function decodeAlone(file: string): Promise<number> {
  const script = path.join(import.meta.dirname, '../measure/decode-process.ts');
  const { code, output } = await runCommand(process.execPath, [script, file], { timeLimit: 120_000 });
  const milliseconds = Number(output);
  if (code !== 0 || !(milliseconds > 0)) throw new Error(`Decoding alone failed: ${output}`);
  return milliseconds / 1000;
}
