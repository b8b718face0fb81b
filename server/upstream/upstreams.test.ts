import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry, UnitOfWork } from '../accounts/change.ts';
import { systemActor } from '../accounts/change.ts';
import { SecretBox } from './secret-box.ts';
import type { UpstreamRow, UpstreamStore } from './upstream-store.ts';
import { defaultSettings, Upstreams } from './upstreams.ts';
import type { NewUpstream } from './upstreams.ts';

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
  upstreams = new Upstreams(store as UpstreamStore, unitOfWork, secrets);
});

const settings: NewUpstream = {
  ...defaultSettings,
  name: 'company',
  kind: 'gitlab',
  url: 'https://git.example/api/v4/packages/npm/',
  pushUrl: 'https://git.example/api/v4/projects/1/packages/npm///',
  scopes: ['@acme'],
  token: 'a-secret-token',
};

describe('upstreams', () => {
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
