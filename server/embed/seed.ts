import { systemActor } from '../accounts/change.ts';
import type { OpenRegistry } from '../compose.ts';
import { accessLevels } from '../contract/constants.ts';
import type { StartSettings } from './options.ts';

/** The project that the first start of a folder makes, which packages are published to. */
export const projectId = 1;

/** Makes the other registry and the users that are missing; answers a token for each user. */
export async function seed(
  registry: OpenRegistry,
  { upstream, users }: Pick<StartSettings, 'upstream' | 'users'>,
): Promise<Record<string, string>> {
  const { upstreams } = registry.upstream;
  if (upstream && !upstreams.all.some(({ url }) => url === upstream.url)) {
    await upstreams.create({ name: upstream.url, kind: 'npm', scopes: ['*'], ...upstream }, systemActor);
  }
  const tokens: Record<string, string> = {};
  for (const [username, role] of Object.entries(users)) {
    const { people } = registry;
    const existing = people.users.findByUsername(username);
    const user = existing ?? (await createUser(registry, username, role));
    tokens[username] = await issueToken(registry, user.id);
  }
  return tokens;
}

async function createUser(
  { people }: OpenRegistry,
  username: string,
  role: StartSettings['users'][string],
): Promise<{ id: number }> {
  const isAdmin = role === 'admin';
  const email = `${username}@example.test`;
  const user = await people.users.create(systemActor, { username, name: username, email, password: null, isAdmin });
  if (!isAdmin) {
    const container = { kind: 'project', id: projectId } as const;
    await people.members.add(systemActor, container, { userId: user.id, level: accessLevels[role], expiresOn: null });
  }
  return user;
}

/** Secret of a new token with scope `api`. */
export async function issueToken({ people }: OpenRegistry, userId: number): Promise<string> {
  const input = { userId, name: 'startRegistry', description: '', scopes: ['api'], expiresOn: null } as const;
  return (await people.tokens.create(systemActor, input)).secret;
}
