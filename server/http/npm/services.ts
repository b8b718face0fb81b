import type { NpmContext } from './npm-context.ts';
import type { NpmRoute } from './npm-route.ts';
import { ping, signingKeys, whoami } from './service-handlers.ts';
import { matchServicePath } from './service-paths.ts';
import type { PathParameters } from './service-paths.ts';

type ServiceRoute = Extract<NpmRoute, { kind: 'service' | 'package-facet' }>;
type ServiceMethod = 'GET' | 'PUT' | 'POST' | 'DELETE';
type ServiceHandler = (context: NpmContext) => Promise<void> | void;

/** What carries out a call below `/-/`; `parameters` are those of its path. */
export type ServicePathHandler = (context: NpmContext, parameters: PathParameters) => Promise<void> | void;

export interface Service {
  /** Below `/-/`; see `matchServicePath`. */
  readonly path: string;
  readonly methods: Partial<Record<ServiceMethod, ServicePathHandler>>;
  /**
   * Whether a token that is sent along is not looked at: people log in because the one they have no longer works, and must not be
   * refused for it.
   */
  readonly ignoresToken?: boolean;
}

/** What a path below `/-/` can be asked. */
export interface FoundService {
  readonly methods: Partial<Record<ServiceMethod, ServiceHandler>>;
  readonly ignoresToken: boolean;
}

/** Paths below `/-/` that are about no single package, the more particular ones first. */
const services: readonly Service[] = [
  { path: 'ping', methods: { GET: ping } },
  { path: 'whoami', methods: { GET: whoami } },
  { path: 'npm/v1/keys', methods: { GET: signingKeys } },
];

const packageFacets: readonly Service[] = [];

/** What a path below `/-/` can be asked; undefined if there is no such path. */
export function findService(route: ServiceRoute): FoundService | undefined {
  if (route.kind === 'package-facet') return findFacet(route);
  for (const service of services) {
    const parameters = matchServicePath(service.path, route.path);
    if (parameters) return { methods: bind(service.methods, parameters), ignoresToken: service.ignoresToken === true };
  }
  return undefined;
}

function findFacet({ name, facet, rest }: Extract<NpmRoute, { kind: 'package-facet' }>): FoundService | undefined {
  for (const service of packageFacets) {
    const parameters = matchServicePath(service.path, [facet, ...rest]);
    if (parameters) return { methods: bind(service.methods, { ...parameters, name }), ignoresToken: false };
  }
  return undefined;
}

function bind(methods: Service['methods'], parameters: PathParameters): FoundService['methods'] {
  return Object.fromEntries(
    Object.entries(methods).map(([method, handler]) => [
      method,
      (context: NpmContext) => handler(context, parameters),
    ]),
  );
}
