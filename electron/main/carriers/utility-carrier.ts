import { utilityProcess, type UtilityProcess } from 'electron';
import type { MessageToServer } from '../../../server/contract/link.ts';
import type { Carrier, LaunchPlan } from './carrier.ts';

/** A server in a utility process of Electron, linked by `process.parentPort`. */
export class UtilityCarrier implements Carrier {
  readonly #child: UtilityProcess;
  #gone = false;

  constructor(plan: LaunchPlan) {
    this.#child = utilityProcess.fork(plan.entry, [...plan.args], {
      env: { ...plan.env },
      execArgv: [],
      stdio: 'pipe',
      serviceName: 'Gatehouse registry',
    });
    this.#child.on('exit', () => (this.#gone = true));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(message: MessageToServer): void {
    if (!this.#gone) this.#child.postMessage(message);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#child.on('message', listener);
  }

  onOutput(listener: (text: string) => void): void {
    this.#child.stdout?.on('data', (chunk: Buffer) => listener(chunk.toString()));
    this.#child.stderr?.on('data', (chunk: Buffer) => listener(chunk.toString()));
  }

  onExit(listener: (code: number | null) => void): void {
    this.#child.on('exit', (code) => listener(code));
  }

  kill(): void {
    const pid = this.#child.pid;
    if (pid === undefined) return;
    // `UtilityProcess.kill` asks with SIGTERM; a server that hangs does not hear it.
    if (process.platform === 'win32') this.#child.kill();
    else process.kill(pid, 'SIGKILL');
  }
}
