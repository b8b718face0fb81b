import { Argument, Command } from 'commander';
import { countsText, sumCounts } from '../../contract/outbox-words.ts';
import { offlineModes } from '../../contract/upstream.ts';
import type { OfflineMode } from '../../contract/upstream.ts';
import { dataDirOption } from '../data-dir.ts';
import { print } from '../terminal.ts';
import { withRegistry } from '../with-registry.ts';

const meanings: Readonly<Record<OfflineMode, string>> = {
  on: 'Offline: no request leaves this machine.',
  off: 'Always online: every request that is needed is made.',
  auto: 'Automatic: an upstream that cannot be reached is not asked until it is back.',
};

/** `gatehouse offline`: the offline mode. */
export function offlineCommand(): Command {
  return new Command('offline')
    .description('show or set offline mode')
    .addArgument(new Argument('[mode]', 'on, off or auto').choices(offlineModes))
    .addOption(dataDirOption())
    .action((mode: OfflineMode | undefined, { dataDir }: { dataDir: string }) =>
      withRegistry({ dataDir }, async ({ call }) => {
        const state = mode === undefined ? await call('offline.get', {}) : await call('offline.set', { mode });
        print(meanings[state.mode]);
        const unsent = countsText(sumCounts(state.unsent));
        if (unsent !== '') print(`${unsent}.`);
        if (state.mode === 'auto' && !state.online) print('At the moment no upstream can be reached.');
      }),
    );
}
