import { isAbsolute } from 'node:path';
import { GatehouseError } from '../contract/errors.ts';
import type { Actor } from '../accounts/change.ts';
import type { Registry } from '../services.ts';
import type { MethodsOf } from './method-types.ts';

/** Carrying packages to places without a network: files on the machine of the server. */
export function createBundleMethods({ upstream }: Pick<Registry, 'upstream'>, actor: Actor): MethodsOf<'bundles'> {
  const { upstreams } = upstream;
  return {
    'bundles.export': ({ file, packages, closure }) => upstream.exporter.export(absolute(file), packages, closure),
    'bundles.inspect': (request) => upstream.importer.inspect({ ...request, file: absolute(request.file) }),
    'bundles.import': (request) => upstream.importer.import({ ...request, file: absolute(request.file) }, actor),
    'bundles.trustedKeys': () => ({ own: upstream.ownKeyId, trusted: upstreams.trustedKeys }),
    'bundles.setTrustedKeys': async ({ keys }) => {
      await upstreams.setTrustedKeys(keys, actor);
      return null;
    },
  };
}

/** A path that means the same whatever folder the server was started in. */
function absolute(file: string): string {
  if (isAbsolute(file)) return file;
  throw new GatehouseError('invalid_request', `"${file}" is not a whole path. Give one from the root of the disk.`);
}
