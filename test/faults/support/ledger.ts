import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { send } from '../../support/http.ts';
import { makePublishDocument } from '../../support/publish-document.ts';
import { rootToken } from '../../support/gatehouse-process.ts';

const npm = '/api/v4/projects/1/packages/npm';
const rules = '/api/v4/projects/1/protected_environments';

interface Version {
  /** SHA-512 of the tarball that was sent, in hex. */
  readonly digest: string;
  state: 'sent' | 'there' | 'going' | 'gone';
  /** Whether its bytes were compared since its last change. */
  isCompared: boolean;
}

/** Something with one value at a time, changed by one writer: what was acknowledged last, and what was sent after that. */
interface Register {
  acknowledged: string | null;
  sent: string | null;
}

/**
 * What a client knows of a registry: each change that it sent, and whether that was acknowledged. After a crash every acknowledged change
 * must be there; one that was sent may have happened or not, but never half.
 */
export class Ledger {
  readonly #versions = new Map<string, Version>();
  readonly #tags = new Map<string, Register>();
  readonly #environments = new Map<string, Register>();
  acknowledged = 0;

  /** Publishes, moves tags, unpublishes and edits rules until the server is gone or `until` says so. */
  async load(origin: string, writer: number, round: number, until: () => boolean = () => false): Promise<void> {
    try {
      for (let step = 0; !until(); step += 1) {
        const name = `writer-${writer}`;
        const version = `${round}.${step}.0`;
        await this.#publish(origin, name, version);
        if (step % 2 === 0) await this.#setTag(origin, name, 'moving', version);
        if (step % 5 === 4) await this.#unpublish(origin, name, `${round}.${step - 1}.0`);
        if (step % 3 === 2) await this.#protect(origin, `env-${writer}`, step % 2 === 0 ? 30 : 40);
      }
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  /**
   * Compares the registry with what is known of it; afterwards everything that was in doubt is settled. Bytes that were compared since
   * their last change are compared again only if `all` are wanted.
   */
  async verify(origin: string, all: boolean): Promise<void> {
    const byName = Map.groupBy(this.#versions, ([id]) => id.slice(0, id.indexOf('@')));
    for (const [name, known] of byName) await this.#verifyPackage(origin, name, known, all);
    for (const [name, register] of this.#environments) {
      const answer = await send(origin, 'GET', `${rules}/${name}`, { token: rootToken });
      const level =
        answer.status === 404
          ? null
          : String(
              answer.json<{ deploy_access_levels: { access_level: number }[] }>().deploy_access_levels[0]?.access_level,
            );
      settle(`rule of ${name}`, register, level);
    }
  }

  async #verifyPackage(
    origin: string,
    name: string,
    known: readonly (readonly [string, Version])[],
    all: boolean,
  ): Promise<void> {
    const answer = await send(origin, 'GET', `${npm}/${name}`, { token: rootToken });
    expect([200, 404]).toContain(answer.status);
    const packument =
      answer.status === 200
        ? answer.json<{
            versions: Record<string, { dist: { integrity: string } }>;
            'dist-tags': Record<string, string>;
          }>()
        : { versions: {}, 'dist-tags': {} };
    for (const [id, version] of known) {
      const number = id.slice(name.length + 1);
      const listed = packument.versions[number];
      const expected = version.state === 'there' ? true : version.state === 'gone' ? false : undefined;
      if (expected !== undefined) expect(listed !== undefined, `${id} is ${version.state}`).toBe(expected);
      version.state = listed ? 'there' : 'gone';
      if (version.isCompared && !all) continue;
      version.isCompared = true;
      const download = await send(origin, 'GET', `${npm}/${name}/-/${name}-${number}.tgz`, { token: rootToken });
      if (!listed) {
        expect(download.status, `${id} is half there`).toBe(404);
        continue;
      }
      expect(download.status, `${id} is there whole`).toBe(200);
      expect(createHash('sha512').update(download.bytes).digest('hex'), `${id} is byte for byte`).toBe(version.digest);
      const integrity = `sha512-${Buffer.from(version.digest, 'hex').toString('base64')}`;
      expect(listed.dist.integrity).toBe(integrity);
    }
    for (const number of Object.keys(packument.versions)) {
      expect(this.#versions.has(`${name}@${number}`), `${name}@${number} was never sent`).toBe(true);
    }
    const tag = this.#tags.get(name);
    const moving = packument['dist-tags']['moving'] ?? null;
    // A tag goes with its version.
    if (tag && (moving !== null || this.#versions.get(`${name}@${tag.acknowledged}`)?.state === 'there')) {
      settle(`tag of ${name}`, tag, moving);
    }
  }

  async #publish(origin: string, name: string, version: string): Promise<void> {
    const document = await makePublishDocument({
      name,
      version,
      files: { 'index.js': `${Math.random()}`.repeat(1 + Math.floor(Math.random() * 2000)) },
    });
    const data = document._attachments[`${name}-${version}.tgz`]?.['data'] as string;
    const digest = createHash('sha512').update(Buffer.from(data, 'base64')).digest('hex');
    const entry: Version = { digest, state: 'sent', isCompared: false };
    this.#versions.set(`${name}@${version}`, entry);
    const answer = await send(origin, 'PUT', `${npm}/${name}`, { token: rootToken, body: document });
    expect(answer.status, answer.text).toBe(200);
    entry.state = 'there';
    this.acknowledged += 1;
  }

  async #setTag(origin: string, name: string, tag: string, version: string): Promise<void> {
    await this.#change(this.#tags, name, version, () =>
      send(origin, 'PUT', `${npm}/-/package/${name}/dist-tags/${tag}`, {
        token: rootToken,
        body: JSON.stringify(version),
        headers: { 'content-type': 'application/json' },
      }),
    );
  }

  async #unpublish(origin: string, name: string, version: string): Promise<void> {
    const entry = this.#versions.get(`${name}@${version}`);
    if (!entry) return;
    entry.state = 'going';
    entry.isCompared = false;
    const answer = await send(origin, 'GET', `${npm}/${name}`, { token: rootToken });
    const { _rev } = answer.json<{ _rev: string }>();
    const deleted = await send(origin, 'DELETE', `${npm}/${name}/-/${name}-${version}.tgz/-rev/${_rev}`, {
      token: rootToken,
    });
    expect(deleted.status, deleted.text).toBe(200);
    entry.state = 'gone';
    this.acknowledged += 1;
  }

  async #protect(origin: string, environment: string, level: number): Promise<void> {
    const isNew = this.#environments.get(environment)?.acknowledged == null;
    await this.#change(this.#environments, environment, String(level), async () => {
      if (isNew) {
        return send(origin, 'POST', rules, {
          token: rootToken,
          body: { name: environment, deploy_access_levels: [{ access_level: level }] },
        });
      }
      const present = await send(origin, 'GET', `${rules}/${environment}`, { token: rootToken });
      const id = present.json<{ deploy_access_levels: { id: number }[] }>().deploy_access_levels[0]?.id;
      return send(origin, 'PUT', `${rules}/${environment}`, {
        token: rootToken,
        body: { deploy_access_levels: [{ id, access_level: level }] },
      });
    });
  }

  async #change(
    registers: Map<string, Register>,
    key: string,
    value: string,
    request: () => ReturnType<typeof send>,
  ): Promise<void> {
    const register = registers.get(key) ?? { acknowledged: null, sent: null };
    registers.set(key, register);
    register.sent = value;
    const answer = await request();
    expect(answer.status, answer.text).toBeLessThan(300);
    register.acknowledged = value;
    register.sent = null;
    this.acknowledged += 1;
  }
}

function settle(what: string, register: Register, found: string | null): void {
  const possible = register.sent === null ? [register.acknowledged] : [register.acknowledged, register.sent];
  expect(possible, `${what} is what was acknowledged`).toContain(found);
  register.acknowledged = found;
  register.sent = null;
}

/** Whether an error only says that the server is gone. */
export function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(code));
}
