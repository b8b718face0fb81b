import { minPasswordLength } from '../contract/constants.ts';
import { GatehouseError } from '../contract/errors.ts';
import type { Actor, Change, DirectoryCascade } from './change.ts';
import type { Directory } from './directory.ts';
import { displayNameComplaints, emailComplaints, namespacePathComplaints, refuseComplaints } from './naming.ts';
import { hashPassword, isOutdated, verifyPassword } from './login/passwords.ts';
import type { UserRecord } from './records.ts';

export interface NewUser {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  /** Null for users who only use tokens. */
  readonly password: string | null;
  readonly isAdmin?: boolean;
  readonly external?: boolean;
}

export type UserChanges = Partial<Omit<NewUser, 'password'>> & { readonly password?: string };

/** Users of the registry. */
export class Users {
  readonly #directory: Directory;
  readonly #cascade: DirectoryCascade;

  constructor(directory: Directory, cascade: DirectoryCascade) {
    this.#directory = directory;
    this.#cascade = cascade;
  }

  /** @throws GatehouseError `user_not_found`. */
  get(id: number): UserRecord {
    return this.#directory.requireUser(id);
  }

  findByUsername(username: string): UserRecord | undefined {
    return this.#directory.store.users.findByUsername(username);
  }

  /** All users, oldest first. */
  all(): UserRecord[] {
    return [...this.#directory.index.users.values()];
  }

  /** The user whom somebody means who logs in with a name or an e-mail address. */
  findByLogin(login: string): UserRecord | undefined {
    const { users } = this.#directory.store;
    return users.findByUsername(login) ?? users.findByEmail(login);
  }

  /**
   * Whether an active user has this password, as of the end of the check. Takes as long for nobody as for a user.
   * @throws GatehouseError `rate_limited` if too many passwords are being checked.
   */
  async hasPassword(id: number | undefined, password: string): Promise<boolean> {
    const { users } = this.#directory.store;
    const hashOf = () => (id === undefined ? null : users.passwordHashOf(id));
    const hash = hashOf();
    if (!(await verifyPassword(password, hash)) || id === undefined || hash === null) return false;
    const renewed = isOutdated(hash) ? await hashPassword(password) : undefined;
    if (hashOf() !== hash || users.find(id)?.state !== 'active') return false;
    if (renewed !== undefined) {
      await this.#directory.write(() => {
        if (hashOf() === hash) users.setPasswordHash(id, renewed);
      });
    }
    return true;
  }

  /**
   * Creates a user with a personal namespace of the same path.
   * @throws GatehouseError `conflict` if the e-mail address or the name is taken, `invalid_request` with complaints by field.
   */
  async create(actor: Actor, input: NewUser): Promise<UserRecord> {
    refuseComplaints(complaintsOf(input));
    const passwordHash = input.password === null ? null : await hashPassword(input.password);
    return this.#directory.write((change) => {
      this.#refuseTaken(input);
      const { store } = this.#directory;
      const times = { createdAt: change.now, updatedAt: change.now };
      const id = store.users.insert({
        username: input.username,
        name: input.name,
        email: input.email,
        state: 'active',
        isAdmin: input.isAdmin ?? false,
        external: input.external ?? false,
        passwordHash,
        ...times,
      });
      store.namespaces.insert({
        kind: 'user',
        parentId: null,
        ownerId: id,
        path: input.username,
        fullPath: input.username,
        name: input.name,
        description: '',
        visibility: 'public',
        ...times,
      });
      const user = this.get(id);
      this.#note(change, actor, 'user.created', user, undefined, summary(user));
      return user;
    });
  }

  /**
   * Changes what is given; a new user name moves the personal namespace and the projects in it.
   * @throws GatehouseError `user_not_found`, `conflict` or `invalid_request`.
   */
  async update(actor: Actor, id: number, changes: UserChanges): Promise<UserRecord> {
    refuseComplaints(complaintsOf(changes));
    const passwordHash = changes.password === undefined ? undefined : await hashPassword(changes.password);
    return this.#directory.write((change) => {
      const { store } = this.#directory;
      const before = this.get(id);
      this.#refuseTaken(changes, before);
      if (before.isAdmin && changes.isAdmin === false) this.#refuseLastAdmin(before);
      const { password: _password, ...fields } = changes;
      const after: UserRecord = { ...before, ...fields, updatedAt: change.now };
      store.users.update(after);
      if (passwordHash !== undefined) store.users.setPasswordHash(id, passwordHash);
      const namespace = store.namespaces.findPersonal(id);
      if (namespace && (namespace.path !== after.username || namespace.name !== after.name)) {
        const path = after.username;
        store.namespaces.update({ ...namespace, path, fullPath: path, name: after.name, updatedAt: change.now });
        store.namespaces.moveBelow(namespace.fullPath, path);
      }
      const passwordNote = passwordHash === undefined ? {} : { password: 'changed' };
      this.#note(change, actor, 'user.updated', after, summary(before), { ...summary(after), ...passwordNote });
      return after;
    });
  }

  /**
   * Blocks a user, whose tokens stop working at once, or unblocks one.
   * @throws GatehouseError `user_not_found`, or `forbidden` for the last active administrator.
   */
  setBlocked(actor: Actor, id: number, blocked: boolean): Promise<UserRecord> {
    return this.#directory.write((change) => {
      const before = this.get(id);
      const after: UserRecord = { ...before, state: blocked ? 'blocked' : 'active', updatedAt: change.now };
      if (before.state === after.state) return before;
      if (blocked) this.#refuseLastAdmin(before);
      this.#directory.store.users.update(after);
      const action = blocked ? 'user.blocked' : 'user.unblocked';
      this.#note(change, actor, action, after, { state: before.state }, { state: after.state });
      return after;
    });
  }

  /**
   * Deletes a user with memberships, tokens, personal namespace and the deploy rules that name the user.
   * @throws GatehouseError `user_not_found`, or `forbidden` for the last active administrator.
   */
  delete(actor: Actor, id: number): Promise<void> {
    return this.#directory.write((change) => {
      const user = this.get(id);
      this.#refuseLastAdmin(user);
      this.#cascade.userDeleted(change, actor, id);
      this.#directory.store.users.delete(id);
      this.#note(change, actor, 'user.deleted', user, summary(user), undefined);
    });
  }

  #refuseTaken(wanted: Partial<Pick<NewUser, 'email' | 'username'>>, self?: UserRecord): void {
    const { users, namespaces } = this.#directory.store;
    const taken: ('email' | 'username')[] = [];
    if (wanted.email !== undefined) {
      const holder = users.findByEmail(wanted.email);
      if (holder && holder.id !== self?.id) taken.push('email');
    }
    if (wanted.username !== undefined) {
      const holder = namespaces.findByFullPath(wanted.username);
      if (holder && (self === undefined || holder.ownerId !== self.id)) taken.push('username');
    }
    if (taken.length > 0) throw takenError(taken);
  }

  /** Without an administrator the registry could only be repaired by hand. */
  #refuseLastAdmin(user: UserRecord): void {
    if (!user.isAdmin) return;
    const others = this.all().some((other) => other.isAdmin && other.state === 'active' && other.id !== user.id);
    if (!others) {
      throw new GatehouseError(
        'forbidden',
        `@${user.username} is the last active administrator. Make another user an administrator first.`,
      );
    }
  }

  #note(change: Change, actor: Actor, action: string, user: UserRecord, before: unknown, after: unknown): void {
    change.record({ actor, action, target: { type: 'user', id: user.id, name: user.username }, before, after });
    change.emit('directory.changed', { subject: 'user' });
  }
}

/** Names the first of the fields in its text, as GitLab does, and all of them in its details. */
function takenError(fields: readonly ('email' | 'username')[]): GatehouseError {
  const complaint = 'has already been taken';
  const text = `${fields[0] === 'email' ? 'Email' : 'Username'} ${complaint}`;
  return new GatehouseError('conflict', text, {
    fields: Object.fromEntries(fields.map((field) => [field, [complaint]])),
  });
}

function complaintsOf(input: UserChanges | NewUser) {
  return {
    email: input.email === undefined ? [] : emailComplaints(input.email),
    name: input.name === undefined ? [] : displayNameComplaints(input.name),
    username: input.username === undefined ? [] : namespacePathComplaints(input.username),
    password:
      typeof input.password === 'string' && input.password.length < minPasswordLength
        ? [`is too short (minimum is ${minPasswordLength} characters)`]
        : [],
  };
}

function summary(user: UserRecord) {
  const { username, name, email, state, isAdmin, external } = user;
  return { username, name, email, state, admin: isAdmin, external };
}
