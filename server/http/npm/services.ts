import type { NpmContext } from './npm-context.ts';
import type { NpmRoute } from './npm-route.ts';
import { accessServices, packageFacets } from './handlers/access-handlers.ts';
import { attestationServices } from './handlers/attestation-handlers.ts';
import { auditServices } from './handlers/audit-handlers.ts';
import { loginServices } from './handlers/login-handlers.ts';
import { orgServices } from './handlers/org-handlers.ts';
import { profileServices } from './handlers/profile-handlers.ts';
import { searchServices } from './handlers/search-handlers.ts';
import { ping, signingKeys, whoami } from './handlers/service-handlers.ts';
import { stageServices } from './handlers/stage-handlers.ts';
import { starServices } from './handlers/star-handlers.ts';
import { tokenServices } from './handlers/token-handlers.ts';
import { matchServicePath } from './service-paths.ts';
import type { PathParameters, Service, ServiceMethod } from './service-paths.ts';

type ServiceRoute = Extract<NpmRoute, { kind: 'service' | 'package-facet' }>;
type ServiceHandler = (context: NpmContext) => Promise<void> | void;

/** What a path below `/-/` can be asked. */
export interface FoundService {
  readonly methods: Partial<Record<ServiceMethod, ServiceHandler>>;
  /** Methods for which a token that is sent along is not looked at. */
  readonly ignoresToken: readonly string[];
}

/** Paths below `/-/` that are about no single package, the more particular ones first. */
export const services: readonly Service[] = [
  { path: 'ping', methods: { GET: ping } },
  { path: 'whoami', methods: { GET: whoami } },
  { path: 'npm/v1/keys', methods: { GET: signingKeys } },
  ...searchServices,
  ...auditServices,
  ...attestationServices,
  ...tokenServices,
  ...profileServices,
  ...stageServices,
  ...starServices,
  ...loginServices,
  ...orgServices,
  ...accessServices,
];

/** What a path below `/-/` can be asked; undefined if there is no such path. */
export function findService(route: ServiceRoute): FoundService | undefined {
  if (route.kind === 'package-facet') return findFacet(route);
  for (const service of services) {
    const parameters = matchServicePath(service.path, route.path);
    if (parameters) return { methods: bind(service.methods, parameters), ignoresToken: service.ignoresToken ?? [] };
  }
  return undefined;
}

function findFacet({ name, facet, rest }: Extract<NpmRoute, { kind: 'package-facet' }>): FoundService | undefined {
  for (const service of packageFacets) {
    const parameters = matchServicePath(service.path, [facet, ...rest]);
    if (parameters) return { methods: bind(service.methods, { ...parameters, name }), ignoresToken: [] };
  }
  return undefined;
}

function bind(methods: Service['methods'], parameters: PathParameters): FoundService['methods'] {
  return Object.fromEntries(
    Object.entries(methods).map(([method, handler]) => [method, (context: NpmContext) => handler(context, parameters)]),
  );
}
