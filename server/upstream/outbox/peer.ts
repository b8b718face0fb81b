import { GatehouseError } from '../../contract/errors.ts';
import { takesProjects } from '../../contract/upstream.ts';
import { shorten } from '../../lib/printable.ts';
import { tarballFileName } from '../../registry/package-name.ts';
import { readAll } from '../network/outbound.ts';
import { expectedIntegrity, sameIntegrity } from '../../lib/integrity.ts';
import { OutboundError } from '../network/outbound-error.ts';
import { isObject } from '../proxy/foreign-packument.ts';
import type { JsonObject } from '../proxy/foreign-packument.ts';
import { lacksProject, noProject } from '../proxy/probe-upstream.ts';
import { packageUrl, parseJson } from '../proxy/upstream-client.ts';
import type { ClientRequest, UpstreamClient } from '../proxy/upstream-client.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import type { RemotePackage } from './plan.ts';

const errorBodyLimit = 64 * 1024;
const projectApi = /^(.*\/projects\/[^/]+)\/packages\/npm$/;
/** Milliseconds for the response after an upload. */
const writeTimeout = 120_000;

interface Document {
  readonly raw: JsonObject;
  readonly versions: Readonly<Record<string, JsonObject>>;
}

/**
 * Writes to another registry as npm's own client does: npm's registry, Verdaccio and Gatehouse alike, and GitLab where it differs
 * (it looks at a header for deprecations and has no `-rev`, so versions are deleted through its packages API).
 */
export class Peer {
  readonly #client: UpstreamClient;
  readonly #upstream: UpstreamRow;

  constructor(client: UpstreamClient, upstream: UpstreamRow) {
    this.#client = client;
    // The token goes to the address for publishing.
    this.#upstream = { ...upstream, url: upstream.pushUrl ?? upstream.url };
  }

  get base(): string {
    return this.#upstream.url;
  }

  /** The present state of a package there, past every cache. */
  async read(name: string): Promise<RemotePackage> {
    const document = await this.#document(name);
    const versions = Object.entries(document?.versions ?? {}).map(([version, manifest]) => {
      const { deprecated } = manifest as { deprecated?: unknown };
      const integrity = hashesOf(objectOf(manifest['dist']));
      return [version, { integrity, deprecated: typeof deprecated === 'string' ? deprecated : '' }] as const;
    });
    const tags = Object.entries(objectOf(document?.raw['dist-tags']));
    return {
      versions: new Map(versions),
      tags: new Map(tags.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    };
  }

  /** The bytes of a version there; undefined if it is gone or says that it has others than `integrity`. The caller verifies them. */
  async download(name: string, version: string, integrity: string): Promise<AsyncIterable<Buffer> | undefined> {
    const dist = objectOf((await this.#document(name))?.versions[version]?.['dist']);
    const { tarball } = dist;
    if (typeof tarball !== 'string' || !URL.canParse(tarball, this.base)) return undefined;
    if (sameIntegrity(hashesOf(dist), integrity) === false) return undefined;
    const { status, body } = await this.#client.send(this.#upstream, {
      url: new URL(tarball, this.base).href,
      headers: { accept: 'application/octet-stream, */*', 'accept-encoding': 'identity' },
    });
    if (status === 200) return body as AsyncIterable<Buffer>;
    body.destroy();
    return undefined;
  }

  /**
   * Sends a publish document.
   * @throws GatehouseError, as the other methods that write, `forbidden`, `unprocessable`, or `tag_guarded` for what waits for approval there.
   */
  publish(name: string, body: NonNullable<ClientRequest['body']>): Promise<void> {
    return this.#write('PUT', packageUrl(this.base, name), { 'npm-command': 'publish' }, body);
  }

  setTag(name: string, tag: string, version: string): Promise<void> {
    return this.#write('PUT', this.#tagUrl(name, tag), { 'npm-command': 'dist-tag' }, jsonBody(version));
  }

  removeTag(name: string, tag: string): Promise<void> {
    return this.#write('DELETE', this.#tagUrl(name, tag), { 'npm-command': 'dist-tag' });
  }

  async deprecate(name: string, version: string, message: string): Promise<void> {
    const document = await this.#require(name);
    const manifest = { ...document.versions[version], deprecated: message };
    // GitLab gives every version of the document the first message, others drop what the document does not hold.
    const versions =
      this.#upstream.kind === 'gitlab' ? { [version]: manifest } : { ...document.versions, [version]: manifest };
    const body = jsonBody({ ...document.raw, versions });
    await this.#write('PUT', packageUrl(this.base, name), { 'npm-command': 'deprecate' }, body);
  }

  async unpublish(name: string, version: string): Promise<void> {
    if (this.#upstream.kind === 'gitlab') return this.#deleteAtGitlab(name, version);
    const { raw, versions } = await this.#require(name);
    const { [version]: removed, ...remaining } = versions;
    if (!removed) return;
    const url = packageUrl(this.base, name);
    const headers = { 'npm-command': 'unpublish' };
    if (Object.keys(remaining).length === 0) return this.#write('DELETE', `${url}/-rev/${revisionOf(raw)}`, headers);
    const tags = Object.entries(objectOf(raw['dist-tags'])).filter(([, target]) => target !== version);
    const { _revisions, _attachments, ...rest } = raw;
    const body = jsonBody({ ...rest, 'dist-tags': Object.fromEntries(tags), versions: remaining });
    await this.#write('PUT', `${url}/-rev/${revisionOf(raw)}`, headers, body);
    const after = await this.#document(name);
    const file = `${url}/-/${tarballFileName(name, version)}/-rev/${revisionOf(after?.raw ?? {})}`;
    // npm's last step; some registries deleted the tarball with the version.
    await this.#write('DELETE', file, headers, undefined, [404]);
  }

  async #deleteAtGitlab(name: string, version: string): Promise<void> {
    const project = projectApi.exec(requirePushable(this.#upstream).url)?.[1] ?? '';
    const query = new URLSearchParams({ package_type: 'npm', package_name: name, package_version: version });
    const { value } = await this.#client.json(this.#upstream, { url: `${project}/packages?${query.toString()}` });
    const list = Array.isArray(value) ? (value as JsonObject[]) : [];
    const found = list.find((entry) => entry['name'] === name && entry['version'] === version);
    if (!found) throw new GatehouseError('package_not_found', `${this.#upstream.name} has no ${name}@${version}.`);
    await this.#write('DELETE', `${project}/packages/${String(found['id'])}`, {});
  }

  async #require(name: string): Promise<Document> {
    const document = await this.#document(name);
    if (document) return document;
    throw new GatehouseError('package_not_found', `${this.#upstream.name} has no package ${name}.`);
  }

  async #document(name: string): Promise<Document | undefined> {
    const query = this.#upstream.kind === 'gitlab' ? '' : '?write=true';
    const { status, value } = await this.#client.json(this.#upstream, {
      url: `${packageUrl(this.base, name)}${query}`,
      headers: { accept: 'application/json', 'cache-control': 'no-cache' },
    });
    // Else every package would be new there, and each refused.
    if (lacksProject(value)) throw new GatehouseError('not_found', noProject(this.#upstream));
    if (status === 404 || status === 410) return undefined;
    if (status === 401 || status === 403) throw this.#refused(status, messageOf(value));
    if (status !== 200 || !isObject(value) || !isObject(value['versions'])) {
      throw new OutboundError('invalid', `${new URL(this.base).host} sends no packument for ${name} (${status})`);
    }
    return { raw: value, versions: value['versions'] as Record<string, JsonObject> };
  }

  async #write(
    method: 'PUT' | 'DELETE',
    url: string,
    headers: Readonly<Record<string, string>>,
    body?: ClientRequest['body'],
    accepted: readonly number[] = [],
  ): Promise<void> {
    const response = await this.#client.send(this.#upstream, {
      url,
      method,
      headers: { accept: 'application/json', ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      timeout: writeTimeout,
      ...(body ? { body } : {}),
    });
    const bytes = await readAll(response, errorBodyLimit, new URL(url).host).catch(() => Buffer.alloc(0));
    const { status } = response;
    const answer = parseJson(bytes);
    if (status === 202 && isObject(answer) && answer['status'] === 'pending') throw this.#waiting(answer);
    if ((status >= 200 && status < 300) || accepted.includes(status)) return;
    const text = messageOf(answer);
    if (status === 401 || status === 403) throw this.#refused(status, text);
    const { name } = this.#upstream;
    throw new GatehouseError('unprocessable', `${name} answers with ${status}${text === '' ? '' : `: ${text}`}.`);
  }

  #tagUrl(name: string, tag: string): string {
    return `${this.base}/-/package/${name.replace('/', '%2f')}/dist-tags/${encodeURIComponent(tag)}`;
  }

  /** What another Gatehouse has taken and not done: a guard there asks for approvals first. */
  #waiting({ missing }: JsonObject): GatehouseError {
    const what = typeof missing === 'string' ? ` It needs ${shorten(missing, 300)}.` : '';
    return new GatehouseError(
      'tag_guarded',
      `${this.#upstream.name} has it, but a guard there holds it back until it is approved.${what} Then try again.`,
    );
  }

  #refused(status: number, text: string): GatehouseError {
    return new GatehouseError(
      'forbidden',
      `${this.#upstream.name} refuses this (${status}${text === '' ? '' : `: ${text}`}). Its token must be allowed to publish there.`,
    );
  }
}

/**
 * The upstream itself, if anything can be published there.
 * @throws GatehouseError `invalid_request` that says what to change.
 */
export function requirePushable(upstream: UpstreamRow): UpstreamRow {
  if (upstream.kind === 'archive') {
    throw new GatehouseError(
      'invalid_request',
      `${upstream.name} holds packages from bundles; nothing can be pushed to it.`,
    );
  }
  if (lackToPush(upstream) === 'pushUrl') {
    throw new GatehouseError(
      'invalid_request',
      `Packages are published to a project. Set that of ${upstream.name} in its settings, or with --push-url acme/tools.`,
    );
  }
  return upstream;
}

/** The setting without which a registry takes no publish: GitLab and Gatehouse take them at a project. Verdaccio may ask for no token. */
export function lackToPush({ kind, url, pushUrl, token }: UpstreamRow): 'pushUrl' | 'token' | null {
  if (takesProjects(kind) && !projectApi.test(pushUrl ?? url)) return 'pushUrl';
  return token === null && kind !== 'verdaccio' ? 'token' : null;
}

/** A JSON value as a body. */
function jsonBody(value: unknown): { length: number; open: () => AsyncIterable<Buffer> } {
  const bytes = Buffer.from(JSON.stringify(value));
  return {
    length: bytes.length,
    async *open() {
      yield bytes;
    },
  };
}

/** Every hash that a `dist` names, as one SRI text. */
function hashesOf(dist: JsonObject): string {
  const { integrity, shasum } = dist as { integrity?: unknown; shasum?: unknown };
  const named = expectedIntegrity({ integrity })?.text;
  const sha1 = expectedIntegrity({ shasum })?.text;
  return [named, sha1].filter((text) => text !== undefined).join(' ');
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** CouchDB's revision, as it goes into a path. */
function revisionOf(raw: JsonObject): string {
  const { _rev: revision } = raw as { _rev?: unknown };
  return typeof revision === 'string' ? encodeURIComponent(revision) : 'undefined';
}

function messageOf(value: unknown): string {
  if (!isObject(value)) return '';
  const message = [value['error'], value['message']].find((candidate) => typeof candidate === 'string');
  return typeof message === 'string' ? shorten(message, 300) : '';
}
