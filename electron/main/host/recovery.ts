import { z } from 'zod';
import { doctorReport, snapshot, type DoctorReport, type Snapshot } from '../../../server/contract/maintenance.ts';
import { chooseTarget } from '../data-folder/move-target.ts';
import type { Settings } from '../settings/settings.ts';
import type { ServerHost } from './server-host.ts';
import type { ServerProcess } from './server-process.ts';

/** What `showProgress` of the command line writes for `GATEHOUSE_PROGRESS=lines`. */
const progressLine = /^progress: (.+?)(?: (\d+) %)?\n/gm;

export interface RecoveryOptions {
  readonly host: ServerHost;
  readonly settings: Pick<Settings, 'save'>;
  /** Starts a command of the `gatehouse` program; on the data folder of now, unless another is named. */
  readonly launch: (args: readonly string[], dataDir?: string) => ServerProcess;
  /** The data folder of now. */
  readonly current: () => string;
}

/**
 * What a person can do about a registry that does not start: commands of the server's own program, run while no server has the folder.
 * Each rejects with a sentence for the person.
 */
export class Recovery {
  readonly #options: RecoveryOptions;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /** Newest first; also of a folder whose database is damaged. */
  async snapshots(): Promise<Snapshot[]> {
    const { output } = await this.#run(null, ['snapshot', 'list', '--json']);
    return z.array(snapshot).parse(JSON.parse(output));
  }

  /** Puts a snapshot in the place of the database, which goes to the quarantine, and starts the server. */
  async restoreSnapshot(name: string): Promise<void> {
    await this.#run(`Restoring the snapshot “${name}”`, ['snapshot', 'restore', name]);
    this.#options.host.retry();
  }

  /** Makes a data folder in or below `chosen` out of an archive, and serves that one. The present folder stays as it is. */
  async restoreBackup(file: string, chosen: string): Promise<void> {
    const { host, settings, current } = this.#options;
    const target = await chooseTarget(current(), chosen);
    await this.#run(`Restoring ${file} into ${target}`, ['restore', file], target);
    settings.save({ dataDir: target, formerDataDirs: [] });
    host.retry();
  }

  /** Checks every row and every byte, and repairs what can be repaired. */
  async repair(): Promise<DoctorReport> {
    // It exits with 1 if anything is wrong, and says what.
    const args = ['doctor', '--repair', '--json'];
    const { output } = await this.#run('Checking and repairing the data', args, undefined, [0, 1]);
    return doctorReport.parse(JSON.parse(output));
  }

  /** @param task what the screen of the failure says meanwhile; null for nothing */
  async #run(
    task: string | null,
    args: readonly string[],
    dataDir?: string,
    accepted: readonly number[] = [0],
  ): Promise<{ readonly output: string }> {
    const { host, launch } = this.#options;
    if (host.state.phase !== 'failed') throw new Error('The registry is running. Use the Backups screen.');
    return host.runWhileStopped(async () => {
      const texts = { stdout: '', stderr: '' };
      const show = (step: string, percent: number | null): void => {
        if (task !== null) host.showRecovery({ task, step, percent });
      };
      show('', null);
      try {
        const child = launch(args, dataDir);
        child.onOutput((text, stream) => {
          texts[stream] += text;
          if (stream !== 'stderr') return;
          const [, step = '', percent] = [...texts.stderr.matchAll(progressLine)].at(-1) ?? [];
          show(step, percent === undefined ? null : Number(percent));
        });
        const code = await new Promise<number | null>((resolve) => child.onExit(resolve));
        const isDone = code !== null && accepted.includes(code) && (code === 0 || texts.stdout !== '');
        if (isDone) return { output: texts.stdout };
        const complaint = /^gatehouse: (.+)$/m.exec(texts.stderr)?.[1];
        throw new Error(complaint ?? `The command ended with exit code ${code ?? 'none'}.`);
      } finally {
        host.showRecovery(null);
      }
    });
  }
}
