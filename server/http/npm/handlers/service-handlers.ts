import { sendJson } from '../../respond.ts';
import { requireUser } from '../npm-context.ts';
import type { NpmContext } from '../npm-context.ts';

/** GET `/-/ping`: anybody may ask whether the registry is there. */
export function ping({ res }: NpmContext): void {
  sendJson(res, 200, {});
}

/** GET `/-/whoami`. */
export function whoami(context: NpmContext): void {
  const { user } = requireUser(context);
  sendJson(context.res, 200, { username: user.username }, { 'Cache-Control': 'private, no-cache' });
}

/** GET `/-/npm/v1/keys`: what versions are signed with (api/clients.md 6), those that come from other registries included. */
export async function signingKeys({ res, registry }: NpmContext): Promise<void> {
  const { forwarding, keys } = registry.upstream;
  const foreign = forwarding.isOn ? await keys.all() : [];
  sendJson(res, 200, { keys: [...registry.packages.keys, ...foreign] });
}
