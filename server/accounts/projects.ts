import { GatehouseError } from '../contract/errors.ts';
import { type Visibility, visibilities } from '../contract/levels.ts';
import type { Actor, Change } from './change.ts';
import { addOwner, auditSummary, renamed } from './containers.ts';
import type { Directory } from './directory.ts';
import {
  descriptionComplaints,
  displayNameComplaints,
  invalidFields,
  projectPathComplaints,
  refuseComplaints,
} from './naming.ts';
import type { NamespaceRecord, ProjectRecord } from './records.ts';

export interface NewProject {
  readonly name: string;
  readonly path: string;
  /** A group or a personal namespace. */
  readonly namespaceId: number;
  readonly description: string;
  readonly visibility: Visibility;
}

/** Projects that one user can create, administrators excepted: searches and lists look at all projects. */
const mostOfCreator = 5000;

export type ProjectChanges = Partial<Omit<NewProject, 'namespaceId'>>;

/** Projects. */
export class Projects {
  readonly #directory: Directory;

  constructor(directory: Directory) {
    this.#directory = directory;
  }

  /** @throws GatehouseError `project_not_found`. */
  get(id: number): ProjectRecord {
    const project = this.#directory.store.projects.find(id);
    if (!project) throw new GatehouseError('project_not_found');
    return project;
  }

  /** The group or personal namespace that a project lives in. */
  namespaceOf(project: ProjectRecord): NamespaceRecord {
    const namespace = this.#directory.store.namespaces.find(project.namespaceId);
    if (!namespace) throw new GatehouseError('data_damaged', `Project ${project.id} has no namespace.`);
    return namespace;
  }

  /**
   * Creates a project in a group or a personal namespace.
   * @throws GatehouseError `invalid_request` with complaints by field, or `not_found` for the namespace.
   */
  create(actor: Actor, input: NewProject): Promise<ProjectRecord> {
    return this.#directory.write((change) => {
      const { store } = this.#directory;
      const namespace = store.namespaces.find(input.namespaceId);
      if (!namespace) {
        throw new GatehouseError('not_found', `Namespace ${input.namespaceId} does not exist.`, {
          gitlabMessage: '404 Namespace Not Found',
        });
      }
      const fullPath = `${namespace.fullPath}/${input.path}`;
      refuseComplaints({
        name: displayNameComplaints(input.name),
        path: projectPathComplaints(input.path),
        description: descriptionComplaints(input.description),
        limit_reached: this.#limitComplaints(actor),
      });
      this.#refuseTaken(actor, fullPath);
      const id = store.projects.insert({
        ...input,
        fullPath,
        creatorId: actor.userId,
        createdAt: change.now,
        updatedAt: change.now,
      });
      if (namespace.ownerId !== null) {
        addOwner(this.#directory, change, actor, { kind: 'project', id }, namespace.ownerId);
      }
      const project = this.get(id);
      this.#note(change, actor, 'project.created', project, undefined, auditSummary(project));
      return project;
    });
  }

  /** @throws GatehouseError `project_not_found` or `invalid_request` with complaints by field. */
  update(actor: Actor, id: number, changes: ProjectChanges): Promise<ProjectRecord> {
    return this.#directory.write((change) => {
      const before = this.get(id);
      const path = changes.path ?? before.path;
      const fullPath = renamed(before, path);
      refuseComplaints({
        name: changes.name === undefined ? [] : displayNameComplaints(changes.name),
        path: path === before.path ? [] : projectPathComplaints(path),
        description: changes.description === undefined ? [] : descriptionComplaints(changes.description),
      });
      if (fullPath !== before.fullPath) this.#refuseTaken(actor, fullPath, before);
      if (!this.#directory.isAdministrator(actor)) this.#refuseTakingNames(before, changes.visibility);
      const after: ProjectRecord = { ...before, ...changes, path, fullPath, updatedAt: change.now };
      this.#directory.store.projects.update(after);
      this.#note(change, actor, 'project.updated', after, auditSummary(before), auditSummary(after));
      return after;
    });
  }

  /**
   * Deletes a project with its packages, environments and rules.
   * @throws GatehouseError `project_not_found`.
   */
  delete(actor: Actor, id: number): Promise<void> {
    return this.#directory.write((change) => {
      const project = this.get(id);
      this.#directory.store.projects.delete(id);
      this.#note(change, actor, 'project.deleted', project, auditSummary(project), undefined);
    });
  }

  #limitComplaints(actor: Actor): string[] {
    if (this.#directory.isAdministrator(actor) || actor.userId === null) return [];
    if (this.#directory.store.projects.countOfCreator(actor.userId) < mostOfCreator) return [];
    return [`Your project limit is ${mostOfCreator} projects! Delete some, or ask an administrator to create it`];
  }

  #refuseTaken(actor: Actor, fullPath: string, self?: ProjectRecord): void {
    const { projects, namespaces } = this.#directory.store;
    // Lockfiles with the old path of a project would lead to another one; an administrator may decide so.
    const moved = this.#directory.isAdministrator(actor) ? undefined : projects.findMoved(fullPath);
    const holder = projects.findByFullPath(fullPath) ?? moved;
    if ((holder && holder.id !== self?.id) || namespaces.findByFullPath(fullPath)) {
      const taken = ['has already been taken'];
      throw invalidFields({ 'project_namespace.name': taken, name: taken, path: taken });
    }
  }

  /**
   * Of packages of one name the first counts at shared addresses. One that was kept hidden would take the place of what others published
   * under its name meanwhile.
   */
  #refuseTakingNames({ id, visibility: before }: ProjectRecord, after: Visibility = before): void {
    if (visibilities.indexOf(after) <= visibilities.indexOf(before)) return;
    const seenBy = before === 'private' ? ['internal', 'public'] : ['public'];
    const root = this.#directory.rootNamespaceOf(id);
    const taken = this.#directory.store.projects
      .laterPackages(id)
      .find(
        ({ name, projectId }) =>
          seenBy.includes(this.get(projectId).visibility) &&
          this.#directory.rootNamespaceOf(projectId) !== root &&
          this.#directory.ownerOfName(name) === undefined,
      );
    if (!taken) return;
    const complaint = `cannot be raised: ${taken.name} in this project would take the place of what others have published under that name since. Unpublish it here first, or ask an administrator`;
    throw invalidFields({ visibility: [complaint] });
  }

  #note(change: Change, actor: Actor, action: string, project: ProjectRecord, before: unknown, after: unknown): void {
    const target = { type: 'project', id: project.id, name: project.fullPath };
    change.record({ actor, action, target, projectId: project.id, before, after });
    change.emit('directory.changed', { subject: 'project' });
  }
}
