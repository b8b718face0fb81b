import type { Tier } from '../contract/constants.ts';
import { GatehouseError } from '../contract/errors.ts';
import type { Actor, Change } from '../accounts/change.ts';
import type { Directory } from '../accounts/directory.ts';
import { descriptionComplaints, invalidFields, refuseComplaints } from '../accounts/naming.ts';
import type { EnvironmentStore } from './environment-store.ts';
import { environmentNameComplaints, guessTier, slugOf } from './naming.ts';
import type { EnvironmentRecord } from './records.ts';

/** Environments that a project can have: lists, and the matrix of who may deploy, look at all of them. */
const mostOfProject = 10_000;

export interface NewEnvironment {
  readonly name: string;
  /** Guessed from the name if null. */
  readonly tier: Tier | null;
  readonly externalUrl: string | null;
  readonly description: string | null;
}

export type EnvironmentChanges = Partial<Omit<NewEnvironment, 'name' | 'tier'>> & { readonly tier?: Tier };

/** Environments of projects, protected or not. */
export class Environments {
  readonly #directory: Directory;
  readonly #store: EnvironmentStore;

  constructor(directory: Directory, store: EnvironmentStore) {
    this.#directory = directory;
    this.#store = store;
  }

  /** In the byte order of their names. */
  list(projectId: number): EnvironmentRecord[] {
    return this.#store.environments(projectId);
  }

  /** @throws GatehouseError `not_found`. */
  get(projectId: number, id: number): EnvironmentRecord {
    const environment = this.#store.environment(projectId, id);
    if (!environment) throw new GatehouseError('not_found', 'There is no such environment.');
    return environment;
  }

  /** @throws GatehouseError `invalid_request` with complaints by field. */
  create(actor: Actor, projectId: number, input: NewEnvironment): Promise<EnvironmentRecord> {
    return this.#directory.write((change) => {
      refuseComplaints({
        name: environmentNameComplaints(input.name),
        external_url: urlComplaints(input.externalUrl),
        description: descriptionComplaints(input.description ?? ''),
        base:
          this.#store.countEnvironments(projectId) < mostOfProject
            ? []
            : [`Maximum number of environments (${mostOfProject}) exceeded. Delete some that are stopped`],
      });
      if (this.#store.environmentByName(projectId, input.name)) {
        throw invalidFields({ name: ['has already been taken'] });
      }
      const id = this.#store.insertEnvironment({
        ...input,
        projectId,
        slug: slugOf(input.name),
        tier: input.tier ?? guessTier(input.name),
        state: 'available',
        createdAt: change.now,
        updatedAt: change.now,
      });
      const environment = this.get(projectId, id);
      this.#note(change, actor, 'environment.created', environment, undefined, summary(environment));
      return environment;
    });
  }

  /** @throws GatehouseError `not_found` or `invalid_request` with complaints by field. */
  update(actor: Actor, projectId: number, id: number, changes: EnvironmentChanges): Promise<EnvironmentRecord> {
    return this.#directory.write((change) => {
      refuseComplaints({
        external_url: urlComplaints(changes.externalUrl ?? null),
        description: descriptionComplaints(changes.description ?? ''),
      });
      const before = this.get(projectId, id);
      const after: EnvironmentRecord = { ...before, ...changes, updatedAt: change.now };
      this.#store.updateEnvironment(after);
      this.#note(change, actor, 'environment.updated', after, summary(before), summary(after));
      return after;
    });
  }

  /**
   * Stops an environment; one that is stopped stays so.
   * @throws GatehouseError `not_found`.
   */
  stop(actor: Actor, projectId: number, id: number): Promise<EnvironmentRecord> {
    return this.#directory.write((change) => {
      const before = this.get(projectId, id);
      if (before.state === 'stopped') return before;
      const after: EnvironmentRecord = { ...before, state: 'stopped', updatedAt: change.now };
      this.#store.updateEnvironment(after);
      this.#note(change, actor, 'environment.stopped', after, { state: before.state }, { state: after.state });
      return after;
    });
  }

  /**
   * Deletes a stopped environment. A protection of its name stays.
   * @throws GatehouseError `not_found`, or `forbidden` while it is not stopped.
   */
  delete(actor: Actor, projectId: number, id: number): Promise<void> {
    return this.#directory.write((change) => {
      const environment = this.get(projectId, id);
      if (environment.state !== 'stopped') {
        throw new GatehouseError('forbidden', `Stop the environment '${environment.name}' before deleting it.`, {
          gitlabMessage: '403 Forbidden',
        });
      }
      this.#store.deleteEnvironment(id);
      this.#note(change, actor, 'environment.deleted', environment, summary(environment), undefined);
    });
  }

  #note(
    change: Change,
    actor: Actor,
    action: string,
    environment: EnvironmentRecord,
    before: unknown,
    after: unknown,
  ): void {
    const { id, name, projectId } = environment;
    change.record({ actor, action, target: { type: 'environment', id, name }, projectId, before, after });
    change.emit('environments.changed', { projectId, groupId: null, name });
  }
}

function urlComplaints(url: string | null): string[] {
  if (url === null || url === '') return [];
  if (url.length > 255) return ['is too long (maximum is 255 characters)'];
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
    ? []
    : ['is blocked: Only allowed schemes are http, https'];
}

function summary(environment: EnvironmentRecord) {
  const { name, slug, tier, state, externalUrl, description } = environment;
  return { name, slug, tier, state, external_url: externalUrl, description };
}
