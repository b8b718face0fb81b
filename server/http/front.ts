import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AppOptions } from './api-options.ts';
import { addressOf } from './caller.ts';
import { ReadyAnswers } from './npm/ready-answers.ts';
import { RequestLog } from './request-log.ts';

/** What answers the requests of a server from one registry. */
export class Front {
  readonly requests: RequestLog;
  readonly ready: ReadyAnswers;
  readonly #options: Omit<AppOptions, 'requests' | 'ready'>;
  #app: RequestListener | undefined;
  #loading: Promise<void> | undefined;
  #underWay = 0;
  #whenIdle: (() => void) | undefined;

  constructor(options: Omit<AppOptions, 'requests' | 'ready'>) {
    this.#options = options;
    const { registry, hosts } = options;
    this.requests = new RequestLog(
      (newest) => registry.events.publish('requests.arrived', { newest }),
      (req) => addressOf(req, hosts),
    );
    this.ready = new ReadyAnswers(registry, this.requests);
  }

  answer(req: IncomingMessage, res: ServerResponse): void {
    this.#underWay += 1;
    res.once('close', () => {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#whenIdle?.();
    });
    if (this.#app) this.#app(req, res);
    else {
      // Loaded by the first request that needs it, so that the server listens sooner.
      this.#loading ??= this.#load();
      this.#loading.then(
        () => this.#app?.(req, res),
        () => {
          // The files of the program were replaced, or the machine has no file left to open.
          this.#loading = undefined;
          res.writeHead(503, { 'Content-Type': 'application/json', Connection: 'close' });
          res.end('{"error":"The server cannot load its program. Restart Gatehouse."}');
        },
      );
    }
  }

  async #load(): Promise<void> {
    const { createApp } = await import('./app.ts');
    this.#app = createApp({ ...this.#options, requests: this.requests, ready: this.ready });
  }

  /** Resolves when no request is under way. To be called once, by who sends no further requests here. */
  async idle(): Promise<void> {
    if (this.#underWay > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
  }
}
