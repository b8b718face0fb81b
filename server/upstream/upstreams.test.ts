import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry, UnitOfWork } from '../accounts/change.ts';
import { systemActor } from '../accounts/change.ts';
import { SecretBox } from './secret-box.ts';
import type { UpstreamRow, UpstreamStore } from './upstream-store.ts';
import { Upstreams } from './upstreams.ts';
import type { NewUpstream, UpstreamChange } from './upstreams.ts';

let rows: UpstreamRow[];
let audit: AuditEntry[];
let upstreams: Upstreams;
const secrets = new SecretBox(randomBytes(32));

beforeEach(() => {
  rows = [];
  audit = [];
  const settings = new Map<string, string>();
  const store: Partial<UpstreamStore> = {
    list: () => [...rows],
    insert: (row) => rows.push({ ...row, id: rows.length + 1 }),
    update: (row) => void (rows = rows.map((other) => (other.id === row.id ? row : other))),
    setting: (key) => settings.get(key),
    setSetting: (key, value) => void settings.set(key, value),
  };
  const unitOfWork: UnitOfWork = {
    write: async (work) => work({ now: 1, record: (entry) => void audit.push(entry), emit: () => undefined }),
  };
  const origins = {
    hasProject: (id: number) => id < 10,
    rootNamespaceOf: () => 1,
    isTopGroup: (id: number) => id === 5,
    ownerOfScope: (scope: string) => (scope === '@acme' ? 5 : undefined),
  };
  upstreams = new Upstreams(store as UpstreamStore, unitOfWork, secrets, origins);
});

const settings: NewUpstream = {
  name: 'company',
  kind: 'gitlab',
  url: 'https://git.example/api/v4/packages/npm/',
  pushUrl: 'https://git.example/api/v4/projects/1/packages/npm///',
  scopes: ['@acme'],
  token: 'a-secret-token',
};

describe('upstreams', () => {
  it('find the registry of a GitLab or a Gatehouse of which the server alone is named', async () => {
    const urlOf = async (kind: NewUpstream['kind'], url: string) =>
      (await upstreams.create({ name: `r${rows.length}`, kind, url }, systemActor)).url;
    const found = 'http://localhost:4899/api/v4/packages/npm';
    for (const url of ['http://localhost:4899', 'http://localhost:4899/', 'http://localhost:4899/api/v4/']) {
      expect(await urlOf('gatehouse', url)).toBe(found);
      expect(await urlOf('gitlab', url)).toBe(found);
    }
    expect(await urlOf('verdaccio', 'http://localhost:4873/')).toBe('http://localhost:4873');
    expect(await urlOf('gitlab', 'https://git.example/gitlab')).toBe('https://git.example/gitlab');
    const moved = await upstreams.update(1, { url: 'http://localhost:4900' }, systemActor);
    expect(moved.url).toBe('http://localhost:4900/api/v4/packages/npm');
  });

  it('keep addresses without slashes at the end and tokens sealed, out of the audit trail too', async () => {
    const row = await upstreams.create(settings, systemActor);
    expect(row).toMatchObject({
      url: 'https://git.example/api/v4/packages/npm',
      pushUrl: 'https://git.example/api/v4/projects/1/packages/npm',
    });
    expect(row.token).not.toContain('a-secret-token');
    expect(secrets.open(row.token ?? '')).toBe('a-secret-token');
    expect(JSON.stringify(audit)).not.toContain('a-secret-token');
    expect(JSON.stringify(audit)).not.toContain(row.token);
    expect(audit[0]).toMatchObject({ action: 'upstream.created', after: { hasToken: true } });
  });

  it.each([
    [{ minimumAgeDays: 3 }, true],
    [{ url: 'https://git.example/other' }, true],
    [{ pushUrl: null }, true],
    [{ url: 'https://evil.example/api/v4/packages/npm' }, false],
    [{ pushUrl: 'https://evil.example/' }, false],
    [{ url: 'http://git.example/api/v4/packages/npm' }, false],
    [{ url: 'https://evil.example/', token: 'another' }, true],
    [{ token: null }, false],
  ] as const)('changed by %j keep a token: %s', async (change, keeps) => {
    const row = await upstreams.create(settings, systemActor);
    const after = await upstreams.update(row.id, change, systemActor);
    expect(after.token !== null).toBe(keeps);
  });

  it('change in nothing but what is given', async () => {
    const pushing = { pushSelection: ['@acme/tool', 'left-pad'], pushFrom: { projectIds: [1, 2] }, autoPush: true };
    const row = await upstreams.create({ ...settings, ...pushing, minimumAgeDays: 4 }, systemActor);
    expect(await upstreams.update(row.id, { minimumAgeDays: 3 }, systemActor)).toEqual({ ...row, minimumAgeDays: 3 });
    const narrower = await upstreams.update(row.id, { pushFrom: { projectIds: [2] } }, systemActor);
    expect(narrower).toMatchObject({ ...pushing, pushFrom: { projectIds: [2] } });
  });

  it('send nothing without projects or a group that the names imply', async () => {
    const chosen = async (pushSelection: string[], more: Pick<UpstreamChange, 'pushFrom'> = {}) =>
      (await upstreams.create({ ...settings, name: `u${rows.length}`, pushSelection, ...more }, systemActor)).pushFrom;
    expect(await chosen(['@acme'])).toEqual({ groupId: 5 });
    expect(await chosen(['@acme/*', '@ACME/tool'])).toEqual({ groupId: 5 });
    for (const vague of [['tool'], ['*'], ['@other'], ['@acme', 'tool'], ['@acme', '@other'], ['@ac*'], ['@*/tool']]) {
      await expect(chosen(vague), vague.join(' ')).rejects.toThrow(/--push-from/);
      expect(await chosen(vague, { pushFrom: { projectIds: [1] } })).toEqual({ projectIds: [1] });
    }
    await expect(chosen(['tool'], { pushFrom: { projectIds: [11] } })).rejects.toThrow(/no project 11/);
    await expect(chosen(['tool'], { pushFrom: { groupId: 6 } })).rejects.toThrow(/not a top-level group/);
  });

  it('have names of their own', async () => {
    await upstreams.create(settings, systemActor);
    await expect(upstreams.create({ ...settings, name: 'COMPANY' }, systemActor)).rejects.toThrow(/already/);
    expect(() => upstreams.require('other')).toThrow(/there are company/);
  });

  it('make one archive and no more', async () => {
    const first = await upstreams.archive(systemActor);
    expect(await upstreams.archive(systemActor)).toEqual(first);
  });
});

describe('the secret box', () => {
  it('opens what it sealed, and nothing that was changed or sealed with another key', () => {
    const sealed = secrets.seal('token');
    expect(sealed).not.toBe(secrets.seal('token'));
    expect(secrets.open(sealed)).toBe('token');
    const [version, nonce, tag, data = ''] = sealed.split('.');
    const other = [version, nonce, tag, `${data.startsWith('A') ? 'B' : 'A'}${data.slice(1)}`].join('.');
    expect(() => secrets.open(other)).toThrow(/Set the token again/);
    expect(() => new SecretBox(randomBytes(32)).open(sealed)).toThrow(/Set the token again/);
    expect(() => secrets.open('nonsense')).toThrow(/Set the token again/);
  });
});
