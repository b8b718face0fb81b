import { fork, type ChildProcess } from 'node:child_process';
import type { MessageToServer } from '../../../server/contract/link.ts';
import type { Carrier, LaunchPlan } from './carrier.ts';

/** A server on a Node of one's own (`GATEHOUSE_NODE`), linked by `process.send`. */
export class ForkedCarrier implements Carrier {
  readonly #child: ChildProcess;

  constructor(plan: LaunchPlan, nodePath: string) {
    this.#child = fork(plan.entry, [...plan.args], {
      execPath: nodePath,
      execArgv: [],
      env: { ...plan.env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // The binary form differs between versions of V8, and this Node is another one than Electron's.
      serialization: 'json',
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(message: MessageToServer): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#child.on('message', listener);
  }

  onOutput(listener: (text: string) => void): void {
    this.#child.stdout?.setEncoding('utf8').on('data', listener);
    this.#child.stderr?.setEncoding('utf8').on('data', listener);
  }

  onExit(listener: (code: number | null) => void): void {
    let told = false;
    const tell = (code: number | null): void => {
      if (told) return;
      told = true;
      listener(code);
    };
    // `close` comes after the last output, `exit` may come before it. Without a child there is only `error`.
    this.#child.on('close', (code) => tell(code));
    this.#child.on('error', () => {
      if (this.#child.pid === undefined) tell(null);
    });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
