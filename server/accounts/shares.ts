import { GatehouseError } from '../contract/errors.ts';
import { levelNames, type MemberLevel } from '../contract/constants.ts';
import { type Actor, type Change, type DirectoryCascade, systemActor } from './change.ts';
import { auditScope } from './containers.ts';
import type { Directory } from './directory.ts';
import { refusePastDay, removeExpired } from './expiry.ts';
import { groupAndAncestors } from './access/effective-access.ts';
import type { Container, ShareRecord } from './records.ts';

export interface NewShare {
  readonly groupId: number;
  readonly level: MemberLevel;
  readonly expiresOn: string | null;
}

/** Invitations of whole groups to projects and to other groups. */
export class Shares {
  readonly #directory: Directory;
  readonly #cascade: DirectoryCascade;

  constructor(directory: Directory, cascade: DirectoryCascade) {
    this.#directory = directory;
    this.#cascade = cascade;
  }

  /** Invitations to a project or group, oldest first, without expired ones. */
  of(container: Container): readonly ShareRecord[] {
    return this.#directory.index.sharesOf(container);
  }

  /**
   * Invites a group.
   * @throws GatehouseError `group_not_found`, `conflict` if it is invited already or is what it would be invited to, or
   * `invalid_request` for a day in the past.
   */
  add(actor: Actor, container: Container, input: NewShare): Promise<ShareRecord> {
    return this.#directory.write((change) => {
      const { store, index } = this.#directory;
      const group = this.#directory.requireGroup(input.groupId);
      refusePastDay(change, input.expiresOn);
      const existing = store.shares.find(container, group.id);
      if (existing && this.of(container).some((share) => share.id === existing.id)) {
        throw new GatehouseError('conflict', 'Group already shared with this group');
      }
      if (container.kind === 'group' && container.id === group.id) {
        throw new GatehouseError('conflict', 'A group cannot be invited to itself.');
      }
      const namespace = container.kind === 'project' ? index.namespaceOf(container.id) : undefined;
      if (namespace && groupAndAncestors(index, namespace.id).includes(group.id)) {
        throw new GatehouseError(
          'conflict',
          'Project cannot be shared with the group it is in or one of its ancestors.',
        );
      }
      // An expired invitation is removed first, with its deploy rules.
      if (existing) this.#removeOne(change, systemActor, existing);
      const id = store.shares.insert({ container, ...input, createdAt: change.now });
      const share: ShareRecord = { id, container, ...input, createdAt: change.now };
      this.#note(change, actor, 'share.added', share, { after: summary(share) });
      return share;
    });
  }

  /**
   * Changes the role or the last day of an invitation; deploy rules that name the group stay.
   * @throws GatehouseError `not_found`, or `invalid_request` for a day in the past.
   */
  update(actor: Actor, container: Container, input: NewShare): Promise<ShareRecord> {
    return this.#directory.write((change) => {
      const before = this.of(container).find((share) => share.groupId === input.groupId);
      if (!before) throw notInvited();
      if (input.expiresOn !== before.expiresOn) refusePastDay(change, input.expiresOn);
      this.#directory.store.shares.update(container, input.groupId, input.level, input.expiresOn);
      const after: ShareRecord = { ...before, ...input };
      this.#note(change, actor, 'share.updated', after, { before: summary(before), after: summary(after) });
      return after;
    });
  }

  /**
   * Ends an invitation; deploy rules of the project that name the group are deleted too.
   * @throws GatehouseError `not_found`.
   */
  remove(actor: Actor, container: Container, groupId: number): Promise<void> {
    return this.#directory.write((change) => {
      const share = this.#directory.store.shares.find(container, groupId);
      if (!share) throw notInvited();
      this.#removeOne(change, actor, share);
    });
  }

  /** Removes expired invitations with the deploy rules that name their groups; returns how many. */
  removeExpired(): Promise<number> {
    const { shares } = this.#directory.store;
    return removeExpired(this.#directory, shares, (change, share) => this.#removeOne(change, systemActor, share));
  }

  #removeOne(change: Change, actor: Actor, share: ShareRecord): void {
    const { container, groupId } = share;
    if (container.kind === 'project') this.#cascade.projectShareRemoved(change, actor, container.id, groupId);
    this.#directory.store.shares.delete(container, groupId);
    this.#note(change, actor, 'share.removed', share, { before: summary(share) });
  }

  #note(
    change: Change,
    actor: Actor,
    action: string,
    { container, groupId }: ShareRecord,
    state: { readonly before?: unknown; readonly after?: unknown },
  ): void {
    const group = this.#directory.requireGroup(groupId);
    const target = { type: 'group', id: group.id, name: group.fullPath };
    change.record({ actor, action, target, ...auditScope(container), ...state });
    change.emit('directory.changed', { subject: 'share' });
  }
}

function summary(share: ShareRecord) {
  return { role: levelNames[share.level], expires_on: share.expiresOn };
}

function notInvited(): GatehouseError {
  return new GatehouseError('not_found', 'This group is not invited.', { gitlabMessage: '404 Group Link Not Found' });
}
