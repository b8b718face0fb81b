import type { Visibility } from '../contract/levels.ts';
import type { Actor, Change, DirectoryCascade } from './change.ts';
import type { Directory } from './directory.ts';
import { groupAndAncestors } from './access/effective-access.ts';
import { claimScopeOf } from './claims.ts';
import {
  comparableName,
  descriptionComplaints,
  displayNameComplaints,
  namespacePathComplaints,
  refuseComplaints,
} from './naming.ts';
import { addOwner, auditSummary, renamed } from './containers.ts';
import type { NamespaceRecord } from './records.ts';

export interface NewGroup {
  readonly name: string;
  readonly path: string;
  readonly parentId: number | null;
  readonly description: string;
  readonly visibility: Visibility;
}

export type GroupChanges = Partial<Omit<NewGroup, 'parentId'>>;

const deepest = 20;
/** Groups that one user can own before creating another, administrators excepted: lists look at all groups. */
const mostOwned = 1000;

/** Groups and subgroups. */
export class Groups {
  readonly #directory: Directory;
  readonly #cascade: DirectoryCascade;

  constructor(directory: Directory, cascade: DirectoryCascade) {
    this.#directory = directory;
    this.#cascade = cascade;
  }

  /** @throws GatehouseError `group_not_found`. */
  get(id: number): NamespaceRecord {
    return this.#directory.requireGroup(id);
  }

  /** Every group, oldest first. */
  all(): NamespaceRecord[] {
    return [...this.#directory.index.namespaces.values()].filter((namespace) => namespace.kind === 'group');
  }

  subgroups(id: number): NamespaceRecord[] {
    return this.all().filter((group) => group.parentId === id);
  }

  /** All groups below one, at any depth. */
  descendants(id: number): NamespaceRecord[] {
    const { index } = this.#directory;
    return this.all().filter((group) => group.id !== id && groupAndAncestors(index, group.id).includes(id));
  }

  /**
   * Creates a group; the actor becomes its owner.
   * @throws GatehouseError `invalid_request` with complaints by field, or `group_not_found` for the parent.
   */
  create(actor: Actor, input: NewGroup): Promise<NamespaceRecord> {
    return this.#directory.write((change) => {
      const { store } = this.#directory;
      const parent = input.parentId === null ? undefined : this.get(input.parentId);
      const fullPath = parent ? `${parent.fullPath}/${input.path}` : input.path;
      const depth = parent ? groupAndAncestors(this.#directory.index, parent.id).length : 0;
      refuseComplaints({
        name: displayNameComplaints(input.name),
        path: this.#pathComplaints(actor, input.path, fullPath),
        description: descriptionComplaints(input.description),
        parent: depth >= deepest ? [`has too many levels above it (maximum is ${deepest})`] : [],
        limit_reached: this.#limitComplaints(actor),
      });
      const id = store.namespaces.insert({
        ...input,
        kind: 'group',
        ownerId: null,
        fullPath,
        createdAt: change.now,
        updatedAt: change.now,
      });
      if (actor.userId !== null) addOwner(this.#directory, change, actor, { kind: 'group', id }, actor.userId);
      const group = this.get(id);
      this.#note(change, actor, 'group.created', group, undefined, auditSummary(group));
      if (!parent && this.#directory.isAdministrator(actor)) claimScopeOf(this.#directory, change, actor, group);
      return group;
    });
  }

  /**
   * Changes what is given; a new path moves everything below the group.
   * @throws GatehouseError `group_not_found` or `invalid_request` with complaints by field.
   */
  update(actor: Actor, id: number, changes: GroupChanges): Promise<NamespaceRecord> {
    return this.#directory.write((change) => {
      const { store } = this.#directory;
      const before = this.get(id);
      const path = changes.path ?? before.path;
      const fullPath = renamed(before, path);
      const moves = fullPath !== before.fullPath;
      refuseComplaints({
        name: changes.name === undefined ? [] : displayNameComplaints(changes.name),
        path: moves ? this.#pathComplaints(actor, path, fullPath, before) : [],
        description: changes.description === undefined ? [] : descriptionComplaints(changes.description),
      });
      const after: NamespaceRecord = { ...before, ...changes, path, fullPath, updatedAt: change.now };
      store.namespaces.update(after);
      if (moves) store.namespaces.moveBelow(before.fullPath, fullPath);
      this.#note(change, actor, 'group.updated', after, auditSummary(before), auditSummary(after));
      if (moves && after.parentId === null && this.#directory.isAdministrator(actor))
        claimScopeOf(this.#directory, change, actor, after);
      return after;
    });
  }

  /**
   * Deletes a group with its subgroups, their projects and packages, and the deploy rules that name any of these groups.
   * @throws GatehouseError `group_not_found`.
   */
  delete(actor: Actor, id: number): Promise<void> {
    return this.#directory.write((change) => {
      const group = this.get(id);
      for (const gone of [...this.descendants(id), group]) this.#cascade.groupDeleted(change, actor, gone.id);
      const projects = this.#directory.projectsOfGroup(id, { subgroups: true }).map((project) => project.fullPath);
      this.#directory.store.namespaces.delete(id);
      this.#note(change, actor, 'group.deleted', group, { ...auditSummary(group), projects }, undefined);
      change.emit('directory.changed', { subject: 'project' });
    });
  }

  #limitComplaints(actor: Actor): string[] {
    if (this.#directory.isAdministrator(actor) || actor.userId === null) return [];
    if (this.#directory.store.members.countOwnedGroups(actor.userId) < mostOwned) return [];
    return [`Your group limit is ${mostOwned} groups! Delete some, or ask an administrator to create it`];
  }

  #pathComplaints(actor: Actor, path: string, fullPath: string, self?: NamespaceRecord): string[] {
    const complaints = namespacePathComplaints(path);
    if (complaints.length > 0) return complaints;
    const { namespaces, projects } = this.#directory.store;
    const holder = namespaces.findByFullPath(fullPath);
    const taken = (holder && holder.id !== self?.id) || projects.findByFullPath(fullPath);
    if (taken || this.#takesScope(actor, fullPath, self)) return ['has already been taken'];
    // Addresses and lockfiles with the old path of a group would lead to another one.
    const moved = this.#directory.isAdministrator(actor) ? undefined : namespaces.findMoved(fullPath);
    return moved && moved.id !== self?.id ? ['has already been taken'] : [];
  }

  /** Whether a top group of this path would take a scope from others: one that is claimed, or has packages of another namespace. */
  #takesScope(actor: Actor, fullPath: string, self?: NamespaceRecord): boolean {
    if (fullPath.includes('/') || this.#directory.isAdministrator(actor)) return false;
    const { index, store } = this.#directory;
    const scope = comparableName(`@${fullPath}`);
    const claim = index.claims.get(scope);
    if (claim) return claim.namespaceId === null || claim.namespaceId !== self?.id;
    return store.namespaces.withScope(scope).some((id) => groupAndAncestors(index, id).at(-1) !== self?.id);
  }

  #note(change: Change, actor: Actor, action: string, group: NamespaceRecord, before: unknown, after: unknown): void {
    const target = { type: 'group', id: group.id, name: group.fullPath };
    change.record({ actor, action, target, groupId: group.id, before, after });
    change.emit('directory.changed', { subject: 'group' });
  }
}
