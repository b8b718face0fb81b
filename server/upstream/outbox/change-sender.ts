import { GatehouseError } from '../../contract/errors.ts';
import { sameIntegrity } from '../../lib/integrity.ts';
import { localFactsOf, versionOf } from './operations.ts';
import type { OutboxContext } from './operations.ts';
import type { OutboxChange, OutboxItem, OutboxRun } from './outbox-store.ts';
import { Peer } from './peer.ts';
import type { LocalFacts, RemotePackage } from './plan.ts';
import { publishBody } from './publish-body.ts';

export interface ChangeSenderOptions extends OutboxContext {
  /** What else is sent: tags of it go along with their version. */
  readonly run: OutboxRun;
  readonly save: (item: OutboxItem) => Promise<void>;
  /** Milliseconds; shorter if the push is being stopped. */
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** Milliseconds before each check for a new publish: GitLab may accept a version first and process it later. */
const checkPauses = [0, 250, 500, 1_000, 2_000, 4_000, 8_000];
/** Sent with a version that goes up without a tag of its own, where a registry requires one, and removed there right after. */
const temporaryTag = 'gatehouse-temporary';

/** Makes single changes at the other registry, one after another. */
export class ChangeSender {
  readonly #options: ChangeSenderOptions;
  readonly #upstreamId: number;
  #justRead: { readonly name: string; readonly remote: RemotePackage } | undefined;

  constructor(options: ChangeSenderOptions) {
    this.#options = options;
    this.#upstreamId = options.run.upstreamId;
  }

  /** Made for each use, so that a changed token or address counts at once. */
  get #peer(): Peer {
    return new Peer(this.#options.client, this.#options.upstreams.require(this.#upstreamId));
  }

  /** The state of a package there. The packument that verified the last publish is used once more, for the next change. */
  async read(name: string): Promise<RemotePackage> {
    const known = this.#justRead;
    this.#justRead = undefined;
    return known?.name === name ? known.remote : this.#peer.read(name);
  }

  /** Makes a change there. Resolves to whether a version was published. */
  async send(change: OutboxChange, item: OutboxItem, remote: RemotePackage): Promise<boolean> {
    const peer = this.#peer;
    const { name, kind } = change;
    const version = change.version ?? '';
    switch (kind) {
      case 'publish':
        return this.#publish(change, item, remote);
      case 'tag.set':
        await peer.setTag(name, change.tag ?? '', version);
        return false;
      case 'tag.remove':
        await peer.removeTag(name, change.tag ?? '');
        return false;
      case 'deprecate':
        await peer.deprecate(name, version, change.value ?? '');
        return false;
      case 'unpublish':
        await peer.unpublish(name, version);
        return false;
    }
  }

  /** Returns whether the version there was sent by this attempt. */
  async #publish(change: OutboxChange, item: OutboxItem, remote: RemotePackage): Promise<boolean> {
    const { packages, tarballs } = this.#options;
    const peer = this.#peer;
    const row = versionOf(this.#options, change);
    if (!row) return false;
    const body = publishBody({
      name: change.name,
      row,
      tags: this.#tagsFor(change, remote, this.#facts(change)),
      readme: packages.readmeOf(row.id)?.text ?? null,
      base: peer.base,
      openTarball: () => tarballs.open(row.tarballSha512),
    });
    // Saved before: if the answer is lost, the version there is known to be ours.
    await this.#options.save({ ...item, sent: true });
    try {
      await peer.publish(change.name, body);
    } catch (error) {
      // What waits for approval there was sent, and will be there one day.
      if (!(error instanceof GatehouseError) || error.code === 'tag_guarded') throw error;
      // A registry that refuses because it has these very bytes has all that was to be sent.
      await this.#options.save(item);
      if (await this.#hasSameBytes(change)) return false;
      throw error;
    }
    await this.#verifyPublished(change);
    return true;
  }

  async #hasSameBytes(change: OutboxChange): Promise<boolean> {
    const remote = await this.#peer.read(change.name);
    const present = remote.versions.get(change.version ?? '');
    if (!present || sameIntegrity(this.#facts(change).integrity ?? '', present.integrity) !== true) return false;
    this.#justRead = { name: change.name, remote };
    return true;
  }

  /** Tags that go along with a version: its own that follow in this run, unless they belong to others upstream. */
  #tagsFor({ projectId, name, version }: OutboxChange, remote: RemotePackage, { isOurs }: LocalFacts): string[] {
    const { outboxStore, run, upstreams } = this.#options;
    const following = run.changes.flatMap((id) => {
      const other = outboxStore.change(id);
      if (other?.kind !== 'tag.set' || other.projectId !== projectId || other.name !== name) return [];
      if (other.tag === null) return [];
      const there = remote.tags.get(other.tag);
      return there === undefined || isOurs(there) ? [{ tag: other.tag, version: other.version }] : [];
    });
    const own = following.filter((other) => other.version === version);
    if (own.length > 0) return own.map(({ tag }) => tag);
    // The first version of a package is its latest at any registry; the run moves it on.
    if (!remote.tags.has('latest') && following.some(({ tag }) => tag === 'latest')) return ['latest'];
    return upstreams.require(this.#upstreamId).kind === 'gatehouse' ? [] : [temporaryTag];
  }

  /**
   * Removes the tag that a version went up with where a registry requires one.
   * @param remote as it was read before the version was sent
   */
  async removeTemporaryTag({ name, version }: OutboxChange, remote: RemotePackage): Promise<void> {
    const { tags } = this.#justRead?.remote ?? remote;
    if (tags.get(temporaryTag) !== version) return;
    this.#justRead = undefined;
    try {
      await this.#peer.removeTag(name, temporaryTag);
    } catch (error) {
      if (!(error instanceof GatehouseError)) throw error;
      throw new GatehouseError(error.code, `${version} arrived, but its tag "${temporaryTag}" stays: ${error.message}`);
    }
  }

  /** Waits until the upstream shows a new version, with the same bytes. */
  async #verifyPublished(change: OutboxChange): Promise<void> {
    const expected = this.#facts(change).integrity ?? '';
    for (const pause of checkPauses) {
      await this.#options.sleep(pause);
      const remote = await this.#peer.read(change.name);
      const present = remote.versions.get(change.version ?? '');
      if (!present) continue;
      if (sameIntegrity(expected, present.integrity) !== false) {
        this.#justRead = { name: change.name, remote };
        return;
      }
      throw new GatehouseError(
        'upstream_invalid',
        `${labelOf(change)} arrived with other bytes: ${expected.split(' ')[0]} here, ${present.integrity} there.`,
      );
    }
    const { name } = this.#options.upstreams.require(this.#upstreamId);
    throw new GatehouseError(
      'unprocessable',
      `${name} accepted ${labelOf(change)}, but does not show it. Look at the package there, then try again.`,
    );
  }

  #facts(change: OutboxChange): LocalFacts {
    return localFactsOf(this.#options, this.#upstreamId, change);
  }
}

/** A change in the line that says what is being sent. */
export function labelOf({ kind, name, version, tag }: OutboxChange): string {
  return kind === 'tag.set' || kind === 'tag.remove' ? `${name} "${tag}"` : `${name}@${version}`;
}
