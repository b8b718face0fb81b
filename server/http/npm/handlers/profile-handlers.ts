import { z } from 'zod';
import { GatehouseError } from '../../../contract/errors.ts';
import { authorizeInstance } from '../../../accounts/access/authorize.ts';
import type { UserRecord } from '../../../accounts/records.ts';
import type { UserChanges } from '../../../accounts/users.ts';
import { readJson } from '../../request-body.ts';
import { sendJson } from '../../respond.ts';
import { actorOf, requireUser } from '../npm-context.ts';
import type { NpmContext } from '../npm-context.ts';
import type { Service } from '../service-paths.ts';

/** `npm profile` (api/clients.md 4). */
export const profileServices: readonly Service[] = [
  { path: 'npm/v1/user', methods: { GET: getProfile, POST: setProfile } },
  { path: 'npm/v1/hooks', methods: { GET: refuseHooks, POST: refuseHooks } },
  { path: 'npm/v1/hooks/hook', methods: { POST: refuseHooks } },
  { path: 'npm/v1/hooks/hook/:id', methods: { GET: refuseHooks, PUT: refuseHooks, DELETE: refuseHooks } },
];

const profileChanges = z.object({
  name: z.string().optional(),
  fullname: z.string().max(255).nullish(),
  email: z.string().max(255).optional(),
  password: z.object({ old: z.string().max(1000).nullish(), new: z.string().max(1000) }).optional(),
  tfa: z.unknown().optional(),
  homepage: z.string().nullish(),
  freenode: z.string().nullish(),
  twitter: z.string().nullish(),
  github: z.string().nullish(),
  cidr_whitelist: z.array(z.string()).nullish(),
});

function getProfile(context: NpmContext): void {
  const { user } = requireUser(context);
  sendJson(context.res, 200, present(context.registry.people.users.get(user.id)), {
    'Cache-Control': 'private, no-cache',
  });
}

/** POST: npm sends the whole profile back with one field changed, or the password alone. */
async function setProfile(context: NpmContext): Promise<void> {
  const { user } = authorizeInstance(context.principal, 'write');
  const { users } = context.registry.people;
  const parsed = profileChanges.safeParse(await readJson(context.req));
  if (!parsed.success) {
    throw new GatehouseError('invalid_request', `The profile cannot be read: ${z.prettifyError(parsed.error)}`);
  }
  const wanted = parsed.data;
  refuseUnkept(wanted, user.username);
  const before = users.get(user.id);
  const changes: UserChanges = {
    ...(wanted.fullname != null && wanted.fullname !== before.name ? { name: wanted.fullname } : {}),
    ...(wanted.email !== undefined && wanted.email !== before.email ? { email: wanted.email } : {}),
    ...(wanted.password === undefined ? {} : { password: wanted.password.new }),
  };
  if (wanted.password) await requireOldPassword(context, before, wanted.password.old ?? '');
  const after = Object.keys(changes).length === 0 ? before : await users.update(actorOf(context), user.id, changes);
  sendJson(context.res, 200, present(after));
}

/** What there is no place for is refused rather than dropped. */
function refuseUnkept(wanted: z.infer<typeof profileChanges>, username: string): void {
  if (wanted.tfa !== undefined && wanted.tfa !== false && wanted.tfa !== null) {
    throw new GatehouseError('invalid_request', 'There is no two-factor authentication here. Nothing was changed.');
  }
  if (wanted.name !== undefined && wanted.name !== username) {
    throw new GatehouseError(
      'invalid_request',
      'A user name is changed by an administrator, in the Gatehouse window or with PUT /api/v4/users/:id.',
    );
  }
  for (const field of ['homepage', 'freenode', 'twitter', 'github'] as const) {
    if (wanted[field] == null || wanted[field] === '') continue;
    throw new GatehouseError(
      'invalid_request',
      `Profiles hold no ${field} here. What can be set: fullname, email and password.`,
    );
  }
  if (wanted.cidr_whitelist != null && wanted.cidr_whitelist.length > 0) {
    throw new GatehouseError('invalid_request', 'Users cannot be tied to IP addresses here.');
  }
}

async function requireOldPassword(context: NpmContext, user: UserRecord, old: string): Promise<void> {
  // Who has none yet has shown who he is with the token.
  if (context.registry.directory.store.users.passwordHashOf(user.id) === null) return;
  try {
    await context.registry.npm.passwords.check(user.username, old, context.address);
  } catch (error) {
    if (!(error instanceof GatehouseError) || error.code !== 'unauthenticated') throw error;
    throw new GatehouseError('forbidden', 'The old password is not right. Nothing was changed.');
  }
}

function present(user: UserRecord) {
  return {
    tfa: false,
    name: user.username,
    email: user.email,
    email_verified: true,
    created: new Date(user.createdAt).toISOString(),
    updated: new Date(user.updatedAt).toISOString(),
    cidr_whitelist: null,
    fullname: user.name,
    homepage: '',
    freenode: '',
    twitter: '',
    github: '',
  };
}

function refuseHooks(context: NpmContext): void {
  requireUser(context);
  throw new GatehouseError(
    'invalid_request',
    'There are no hooks here. To hear of changes, read the audit events (GET /api/v4/projects/:id/audit_events) or watch the Gatehouse window.',
  );
}
