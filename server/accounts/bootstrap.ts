import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import type { Change } from './change.ts';
import { systemActor } from './change.ts';
import type { Directory } from './directory.ts';
import { hintOf, newTokenSecret, sha256Of } from './login/token-secret.ts';
import { StartupError } from '../lib/startup-error.ts';

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
 * @param rootToken returns the secret and stores it in a file. It runs before the commit; after a crash in between, another one takes its
 * place, since nothing was served with it.
 */
export async function bootstrap(directory: Directory, rootToken: () => string): Promise<BootstrapResult> {
  if (directory.index.users.size > 0) return { created: false, rootToken: null };
  const secret = rootToken();
  await directory.write((change) => createFirstRecords(directory, change, secret));
  return { created: true, rootToken: secret };
}

function createFirstRecords({ store }: Directory, change: Change, secret: string): void {
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
  store.claims.put({ name: '@local', namespaceId: group, createdAt: now, createdBy: systemActor.username });
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
    description: '',
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

const minimumRootTokenLength = 20;

/**
 * The secret of the root user's first token: the configured one, else a new one. It is on disk, readable only by the owner, when this
 * returns. A file that is there is replaced and never read: an interrupted first start may have left it, or another user planted it.
 * @throws StartupError `failed` if the configured one is too short or holds white space.
 */
export function createRootToken(file: string, configured: string | undefined): string {
  if (configured !== undefined && (configured.length < minimumRootTokenLength || /\s/.test(configured))) {
    throw new StartupError(
      'failed',
      `GATEHOUSE_ROOT_TOKEN must have at least ${minimumRootTokenLength} characters and no white space.`,
    );
  }
  const secret = configured ?? newTokenSecret();
  rmSync(file, { force: true });
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    writeSync(descriptor, `${secret}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return secret;
}
