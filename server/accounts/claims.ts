import { GatehouseError } from '../contract/errors.ts';
import type { Actor, Change } from './change.ts';
import type { Directory } from './directory.ts';
import { shorten } from '../lib/printable.ts';
import { comparableName } from './naming.ts';
import type { ClaimRecord, NamespaceRecord } from './records.ts';

/**
 * Scopes (`@acme`) and package names that belong to this registry for everybody: no other registry is asked for them, whoever may read
 * what was published here. A claim may name the top namespace that owns what it covers at the group and instance prefixes.
 */
export class Claims {
  readonly #directory: Directory;

  constructor(directory: Directory) {
    this.#directory = directory;
  }

  /** By name. */
  all(): ClaimRecord[] {
    return [...this.#directory.index.claims.values()];
  }

  /**
   * Claims scopes and names, or gives their claims another owner: all of them, or none.
   * @param owner full path of a top namespace, null for none; by default that of the scope's path, if there is one
   * @throws GatehouseError `group_not_found`, or `invalid_request` for a group that is not at the top.
   */
  claim(actor: Actor, names: readonly string[], owner?: string | null): Promise<void> {
    return this.#directory.write((change) => {
      const { index, store } = this.#directory;
      for (const key of names.map(comparableName)) {
        const ofScope = key.startsWith('@') ? index.namespaceByPath(key.slice(1)) : undefined;
        const namespace = owner === undefined ? ofScope : owner === null ? undefined : this.#requireTop(owner);
        const namespaceId = namespace?.id ?? null;
        const record = { name: key, namespaceId, createdAt: change.now, createdBy: actor.username };
        store.claims.put(record);
        noteClaim(change, actor, 'name.claimed', record, { owner: namespace?.fullPath ?? null });
      }
    });
  }

  /** Releases claims: from then on other registries are asked for what is not here. @throws GatehouseError `not_found`, and releases none. */
  release(actor: Actor, names: readonly string[]): Promise<void> {
    return this.#directory.write((change) => {
      for (const name of names) {
        const record = this.#directory.index.claims.get(comparableName(name));
        if (!record) throw new GatehouseError('not_found', `${shorten(name)} is not claimed.`);
        this.#directory.store.claims.delete(record.name);
        noteClaim(change, actor, 'name.released', record, null);
      }
    });
  }

  #requireTop(path: string): NamespaceRecord {
    const found = this.#directory.index.namespaceByPath(path);
    if (!found) throw new GatehouseError('group_not_found', `There is no group "${path}".`);
    if (found.parentId === null) return found;
    throw new GatehouseError('invalid_request', `${path} is a subgroup. An owner is a top-level group or a user.`);
  }
}

/** Makes the scope of a new top group, or of one with a new path, local if an administrator acts. Part of the change of the group. */
export function claimScopeOf({ store }: Directory, change: Change, actor: Actor, group: NamespaceRecord): void {
  const name = comparableName(`@${group.path}`);
  const present = store.claims.all().find((claim) => claim.name === name);
  if (present && present.namespaceId !== null) return;
  const record = { name, namespaceId: group.id, createdAt: change.now, createdBy: actor.username };
  store.claims.put(record);
  noteClaim(change, actor, 'name.claimed', record, { owner: group.fullPath });
}

function noteClaim(
  change: Change,
  actor: Actor,
  action: string,
  { name, namespaceId }: ClaimRecord,
  after: unknown,
): void {
  change.record({ actor, action, target: { type: 'claim', id: null, name }, groupId: namespaceId, after });
  change.emit('upstream.changed', { subject: 'settings', upstreamId: null });
}
