import type { Actor } from '../accounts/change.ts';
import { readAdvisoryFiles } from '../registry/advisories/advisory-files.ts';
import type { Registry } from '../services.ts';
import type { MethodsOf } from './call-method.ts';

/** What the command line can ask and change about known vulnerabilities. */
export function createAdvisoryMethods({ npm }: Pick<Registry, 'npm'>, actor: Actor): MethodsOf<'advisories'> {
  const { advisories } = npm;
  return {
    'advisories.summary': () => advisories.summary,
    'advisories.import': ({ paths }) => advisories.importAll(actor, readAdvisoryFiles(paths)),
    'advisories.clear': async () => ({ advisories: await advisories.clear(actor) }),
  };
}
