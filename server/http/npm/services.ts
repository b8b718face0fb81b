import type { NpmContext } from './npm-context.ts';
import type { NpmRoute } from './npm-route.ts';
import { ping, signingKeys, whoami } from './service-handlers.ts';

type ServiceRoute = Extract<NpmRoute, { kind: 'service' | 'package-facet' }>;
type ServiceHandler = (context: NpmContext) => Promise<void> | void;
type ServiceMethods = Partial<Record<'GET' | 'PUT' | 'POST' | 'DELETE', ServiceHandler>>;

/** Paths below `/-/` that are about no single package. */
const services: Readonly<Record<string, ServiceMethods>> = {
  ping: { GET: ping },
  whoami: { GET: whoami },
  'npm/v1/keys': { GET: signingKeys },
};

/** What a path below `/-/` can be asked; undefined if there is no such path. */
export function findService(route: ServiceRoute): ServiceMethods | undefined {
  if (route.kind === 'package-facet') return undefined;
  const path = route.path.join('/');
  return Object.hasOwn(services, path) ? services[path] : undefined;
}
