import type { MethodName } from './methods.ts';

/**
 * The names of the method table without its schemas, for the preload script: it must know what may be called, and must not carry
 * a validation library into the page. `satisfies` fails the build when a method is missing here or no longer exists.
 */
export const methodNames = {
  'server.status': true,
  'packages.list': true,
  'packages.get': true,
  'packages.setTag': true,
  'packages.removeTag': true,
  'environments.listProtected': true,
  'environments.protect': true,
  'environments.unprotect': true,
  'environments.replaceRules': true,
  'directory.projects': true,
  'directory.ruleCandidates': true,
} as const satisfies Record<MethodName, true>;
