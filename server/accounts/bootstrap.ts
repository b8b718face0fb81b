import type { Change } from './change.ts';
import { systemActor } from './change.ts';
import type { Directory } from './directory.ts';
import { hintOf, sha256Of } from './login/token-secret.ts';

export interface BootstrapResult {
  /** Whether this was the first start of the data folder. */
  readonly created: boolean;
  /** The root user's token, to be shown once; null unless `created`. */
  readonly rootToken: string | null;
}

/**
 * First start of an empty data folder: the administrator `root` (id 1), the group `local` (id 1) that root owns, the private project
 * `local/packages` (id 1) and a token of root's with scope api. All of it is one transaction. Does nothing where there is a
 * user already.
 * @param rootToken answers the secret to use and keeps it where the person finds it. It runs before the commit, so a crash in
 * between leaves a kept secret that the next start uses again; hence it must answer the same one then.
 */
export async function bootstrap(directory: Directory, rootToken: () => string): Promise<BootstrapResult> {
  if (directory.snapshot.users.size > 0) return { created: false, rootToken: null };
  const secret = rootToken();
  await directory.write((change) => createFoundation(directory, change, secret));
  return { created: true, rootToken: secret };
}

function createFoundation({ store }: Directory, change: Change, secret: string): void {
  const { now } = change;
  const times = { createdAt: now, updatedAt: now };
  const root = store.users.insert({
    username: 'root',
    name: 'Administrator',
    email: 'root@gatehouse.local',
    state: 'active',
    isAdmin: true,
    external: false,
    passwordHash: null,
    ...times,
  });
  // Before root's personal namespace, so that people can rely on the group's id: namespaces share one sequence.
  const group = store.namespaces.insert({
    kind: 'group',
    parentId: null,
    ownerId: null,
    path: 'local',
    fullPath: 'local',
    name: 'local',
    description: '',
    visibility: 'private',
    ...times,
  });
  store.namespaces.insert({
    kind: 'user',
    parentId: null,
    ownerId: root,
    path: 'root',
    fullPath: 'root',
    name: 'Administrator',
    description: '',
    visibility: 'public',
    ...times,
  });
  store.members.insert({
    container: { kind: 'group', id: group },
    userId: root,
    level: 50,
    createdBy: root,
    createdAt: now,
    expiresOn: null,
  });
  const project = store.projects.insert({
    namespaceId: group,
    path: 'packages',
    fullPath: 'local/packages',
    name: 'packages',
    description: 'Packages published from this machine',
    visibility: 'private',
    creatorId: root,
    ...times,
  });
  const token = store.tokens.insert({
    userId: root,
    name: 'initial root token',
    description: '',
    scopes: ['api'],
    sha256: sha256Of(secret),
    hint: hintOf(secret),
    createdAt: now,
    expiresOn: null,
  });
  const created = [
    { action: 'user.created', target: { type: 'user', id: root, name: 'root' }, after: { admin: true } },
    { action: 'group.created', target: { type: 'group', id: group, name: 'local' }, groupId: group },
    { action: 'project.created', target: { type: 'project', id: project, name: 'local/packages' }, projectId: project },
    {
      action: 'token.created',
      target: { type: 'token', id: token, name: 'initial root token' },
      after: { user: 'root', scopes: ['api'] },
    },
  ];
  for (const entry of created) change.record({ actor: systemActor, ...entry });
  for (const subject of ['user', 'group', 'project', 'token'] as const) change.emit('directory.changed', { subject });
}
