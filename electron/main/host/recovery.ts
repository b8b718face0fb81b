import { z } from 'zod';
import type { RecoveryTask } from '../../../server/contract/bridge.ts';
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

/** A command that the screen of the failure shows. */
interface Running {
  readonly child: ServerProcess;
  readonly ended: Promise<number | null>;
  /** Shows its progress. */
  readonly show: () => void;
  isStopping: boolean;
}

interface RunOptions {
  readonly dataDir?: string;
  /** Exit codes after which there is an answer. */
  readonly accepted?: readonly number[];
}

/**
 * What a person can do about a registry that does not start: commands of the server's own program, run while no server has the folder.
 * Each rejects with a sentence for the person.
 */
export class Recovery {
  readonly #options: RecoveryOptions;
  #running: Running | null = null;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /** Whether a restore or a repair is under way. */
  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Newest first; also of a folder whose database is damaged. */
  async snapshots(): Promise<Snapshot[]> {
    const output = await this.#run(null, ['snapshot', 'list', '--json']);
    return z.array(snapshot).parse(JSON.parse(output ?? '[]'));
  }

  /**
   * Puts a snapshot in the place of the database, which goes to the quarantine, and starts the server. Resolves to false if it was
   * cancelled.
   */
  async restoreSnapshot(name: string): Promise<boolean> {
    const output = await this.#run({ kind: 'snapshot', name }, ['snapshot', 'restore', name]);
    if (output === null) return false;
    this.#options.host.retry();
    return true;
  }

  /**
   * Makes a data folder in or below `chosen` out of an archive, and serves that one. The present folder stays as it is. Resolves to false if
   * it was cancelled.
   */
  async restoreBackup(file: string, chosen: string): Promise<boolean> {
    const { host, settings, current } = this.#options;
    const dataDir = await chooseTarget(current(), chosen);
    const output = await this.#run({ kind: 'backup', file, folder: dataDir }, ['restore', file], { dataDir });
    if (output === null) return false;
    settings.save({ dataDir, formerDataDirs: [] });
    host.retry();
    return true;
  }

  /** Checks every row and every byte, and repairs what can be repaired. Resolves to null if it was cancelled. */
  async repair(): Promise<DoctorReport | null> {
    const output = await this.#run({ kind: 'repair' }, ['doctor', '--repair', '--json'], {
      // It exits with 1 if anything is wrong, and says what.
      accepted: [0, 1],
    });
    return output === null ? null : doctorReport.parse(JSON.parse(output));
  }

  /**
   * Cancels a restore, which leaves everything as it was, or a repair. Resolves when that has ended.
   * @param deadline milliseconds until it is killed: it answers no request during a long step of the database
   */
  async stop(deadline?: number): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    running.isStopping = true;
    running.show();
    running.child.send({ kind: 'shutdown' });
    const kill = deadline === undefined ? undefined : setTimeout(() => running.child.kill(), deadline);
    await running.ended;
    clearTimeout(kill);
  }

  /**
   * Resolves to what the command wrote, or null if it was stopped.
   * @param task what the window says meanwhile; null for nothing
   */
  async #run(
    task: RecoveryTask | null,
    args: readonly string[],
    { dataDir, accepted = [0] }: RunOptions = {},
  ): Promise<string | null> {
    const { host, launch } = this.#options;
    if (host.state.phase !== 'failed') throw new Error('The registry is running. Use the Backups screen.');
    return host.runWhileStopped(async () => {
      const texts = { stdout: '', stderr: '' };
      try {
        const child = launch(args, dataDir);
        const ended = new Promise<number | null>((resolve) => child.onExit(resolve));
        const show = (): void => {
          if (task === null) return;
          const [, step = '', percent] = [...texts.stderr.matchAll(progressLine)].at(-1) ?? [];
          const { isStopping } = running;
          host.showRecovery({ task, step, percent: percent === undefined ? null : Number(percent), isStopping });
        };
        const running: Running = { child, ended, show, isStopping: false };
        if (task !== null) this.#running = running;
        show();
        child.onOutput((text, stream) => {
          texts[stream] += text;
          if (stream === 'stderr') show();
        });
        const code = await ended;
        if (code !== null && accepted.includes(code) && (code === 0 || texts.stdout !== '')) return texts.stdout;
        if (running.isStopping) return null;
        const complaint = /^gatehouse: (.+)$/m.exec(texts.stderr)?.[1];
        throw new Error(complaint ?? `The command ended with exit code ${code ?? 'none'}.`);
      } finally {
        this.#running = null;
        host.showRecovery(null);
      }
    });
  }
}
