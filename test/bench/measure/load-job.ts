/** One request that is sent again and again. */
export interface RequestSample {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a load process can be asked to do. Addresses are origins without a trailing slash. */
export type LoadJob =
  | {
      readonly kind: 'requests';
      readonly origin: string;
      /** Taken in turn, or at random from a fixed seed. */
      readonly samples: readonly RequestSample[];
      readonly order: 'turn' | 'random';
      readonly connections: number;
      /** Length of the measured part; a fifth of it is spent before it, unmeasured. */
      readonly seconds: number;
      /** Ends after this many answers instead. */
      readonly count?: number;
      readonly expectedStatus: number;
    }
  | {
      readonly kind: 'publishes';
      readonly origin: string;
      /** Path of the registry, with a trailing slash. */
      readonly registryPath: string;
      readonly headers: Readonly<Record<string, string>>;
      /** Each publish is a package of its own, called `<namePrefix>-<n>`, unless `versionsOf` names the one that gets all versions. */
      readonly namePrefix: string;
      readonly versionsOf?: string;
      /** Whether the packages depend on each other, so that the first one needs all of them. */
      readonly tree?: boolean;
      readonly count: number;
      readonly tarballSize: number;
      readonly connections: number;
    }
  | {
      readonly kind: 'upload';
      readonly origin: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      /** Holds the request's body. */
      readonly file: string;
    }
  | {
      /** Asks again and again until told to stop: what other requests feel while something heavy goes on. */
      readonly kind: 'probe';
      readonly origin: string;
      readonly path: string;
      /** Milliseconds between an answer and the next request. */
      readonly pause: number;
    };

export interface LoadResult {
  readonly count: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** Milliseconds from a request to the end of its answer. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** Of one answer, on average. */
  readonly bodyBytes: number;
  /** Share of a core that the load process itself used: near 1 it may have been what limited the result. */
  readonly busy: number;
}

export interface LoadRequest {
  readonly id: number;
  readonly job: LoadJob | { readonly kind: 'stop' };
}

export type LoadReply =
  | { readonly id: number; readonly kind: 'begun' }
  | { readonly id: number; readonly kind: 'done'; readonly result: LoadResult }
  | { readonly id: number; readonly kind: 'failed'; readonly message: string };
