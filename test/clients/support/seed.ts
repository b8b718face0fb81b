import { createDirectoryServices } from '../../../server/accounts/directory-services.ts';
import type { DirectoryServices } from '../../../server/accounts/directory-services.ts';
import type { Actor } from '../../../server/accounts/change.ts';
import { accessLevels } from '../../../server/contract/levels.ts';
import { openRegistry } from '../../../server/compose.ts';

export interface Person {
  readonly username: string;
  readonly password: string;
  /** Secret with scope `api`. */
  readonly token: string;
}

export interface SeededPeople {
  readonly root: Person;
  /** Maintainer of the group `local`. */
  readonly maria: Person;
  /** Developer in the group `local`. */
  readonly dev: Person;
  /** Member of nothing. */
  readonly stranger: Person;
}

/** Projects and groups that every data folder of these tests has, by what a client needs to say. */
export const places = {
  /** Private, made by the first start. */
  packages: 1,
  /** Private, in the subgroup `local/tools`. */
  tools: 2,
  /** Anybody may read it. */
  open: 3,
  /** Shows its versions two days older than they are. */
  aged: 4,
  /** The group `local`, with its subgroup. */
  localGroup: 1,
} as const;

const twoDays = 2 * 86_400_000;

const root: Actor = { userId: 1, username: 'root', origin: 'cli', address: null };

/** Fills a new data folder with a few people and projects, as an administrator would in the window. */
export async function seed(dataDir: string): Promise<SeededPeople> {
  const rootToken = 'root-token-of-the-client-tests';
  const registry = await openRegistry({ dataDir, rootToken });
  try {
    const services = createDirectoryServices(registry.directory, registry.audit, {
      projectMemberRemoved: () => false,
      projectShareRemoved: () => undefined,
      userDeleted: () => undefined,
      groupDeleted: () => undefined,
    });
    const password = 'correct horse battery';
    await services.users.update(root, 1, { password });
    await makeProjects(services);
    const aged = registry.directory.findProject(places.aged);
    if (aged) await registry.npm.publishAges.set(root, aged, twoDays);
    return {
      root: { username: 'root', password, token: rootToken },
      maria: await makePerson(services, 'maria', accessLevels.maintainer),
      dev: await makePerson(services, 'dev', accessLevels.developer),
      stranger: await makePerson(services, 'stranger', null),
    };
  } finally {
    await registry.close();
  }
}

async function makeProjects({ groups, projects, directory }: DirectoryServices): Promise<void> {
  const local = directory.findGroup('local');
  if (!local) throw new Error('The first start made no group "local".');
  const common = { description: '', visibility: 'private' } as const;
  const tools = await groups.create(root, { name: 'tools', path: 'tools', parentId: local.id, ...common });
  const made = [
    await projects.create(root, { name: 'kit', path: 'kit', namespaceId: tools.id, ...common }),
    await projects.create(root, {
      name: 'open',
      path: 'open',
      namespaceId: local.id,
      ...common,
      visibility: 'public',
    }),
    await projects.create(root, { name: 'aged', path: 'aged', namespaceId: local.id, ...common }),
  ].map((project) => project.id);
  if (made[0] !== places.tools || made[1] !== places.open)
    throw new Error(`Unexpected project ids: ${made.join(', ')}`);
}

async function makePerson(
  { users, members, tokens, directory }: DirectoryServices,
  username: string,
  level: 30 | 40 | null,
): Promise<Person> {
  const password = `password of ${username}`;
  const user = await users.create(root, { username, name: username, email: `${username}@example.test`, password });
  const group = directory.findGroup('local');
  if (level !== null && group) {
    await members.add(root, { kind: 'group', id: group.id }, { userId: user.id, level, expiresOn: null });
  }
  const { secret } = await tokens.create(root, {
    userId: user.id,
    name: 'laptop',
    description: '',
    scopes: ['api'],
    expiresOn: null,
  });
  return { username, password, token: secret };
}
