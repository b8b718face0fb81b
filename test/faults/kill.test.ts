import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scaled } from '../support/scale.ts';
import { Ledger } from './support/ledger.ts';
import { gatehouse } from '../support/gatehouse-process.ts';
import { dataDir, start, useDataFolder } from './support/data-folder.ts';

const rounds = scaled('GATEHOUSE_KILL_ROUNDS', { short: 20, full: 200 });
const writers = 6;

useDataFolder();

test(`loses nothing that it acknowledged and keeps no half of anything, killed ${rounds} times under load`, async () => {
  const ledger = new Ledger();
  for (let round = 0; round < rounds; round += 1) {
    const server = await start();
    expect(readdirSync(join(dataDir, 'gatehouse-temporary')), 'temporary files after a start').toEqual([]);
    const target = ledger.acknowledged + 1 + Math.floor(Math.random() * 60);
    const loads = Array.from({ length: writers }, (_, writer) => ledger.load(server.origin, writer, round));
    // At a random moment of the load, not at one of its seams: some turns after so many answers.
    while (ledger.acknowledged < target && !server.hasEnded) await new Promise((resolve) => setImmediate(resolve));
    await server.kill();
    await Promise.all(loads);

    const again = await start();
    await ledger.verify(again.origin, round % 20 === 19 || round === rounds - 1);
    // While it serves, by the server itself; every few rounds by the command on the folder alone.
    if (round % 5 === 4) await again.stop();
    const doctor = await gatehouse(['doctor'], { dataDir });
    expect(doctor, doctor.stdout + doctor.stderr).toMatchObject({ code: 0 });
    if (round % 2 === 0) await again.kill();
    else await again.stop();
  }
  console.log(`${ledger.acknowledged} changes were acknowledged in ${rounds} rounds`);
  expect(ledger.acknowledged).toBeGreaterThan(rounds);
});
