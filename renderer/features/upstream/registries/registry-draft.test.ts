import { describe, expect, it } from 'vitest';
import { methods } from '../../../../server/contract/methods.ts';
import type { Upstream } from '../../../../server/contract/upstream.ts';
import {
  addressExamples,
  draftOf,
  emptyRegistry,
  impliedOrigin,
  isFromOnlyProject,
  isProjectUrl,
  losesToken,
  publicNpm,
  requiredToSend,
  settingsOf,
  targetToSend,
  withKind,
  type RegistryDraft,
} from './registry-draft.ts';
import { scopeTexts, statusOf } from './registry-columns.tsx';

type Place = Parameters<typeof impliedOrigin>[1][number];

const upstream: Upstream = {
  id: 3,
  name: 'work',
  kind: 'gitlab',
  url: 'https://git.acme.example/api/v4/groups/acme/-/packages/npm',
  pushUrl: null,
  scopes: ['@acme'],
  enabled: true,
  minimumAgeDays: 2,
  minimumAgeExceptions: ['react'],
  freshSeconds: 60,
  budgetMilliseconds: 3000,
  timeoutMilliseconds: 5000,
  pushSelection: ['@acme'],
  pushFrom: { groupId: 4 },
  autoPush: true,
  hasToken: true,
  state: { status: 'reachable', since: 1, lastError: null, retryAt: null, finding: null },
  cache: { packages: 1, tarballs: 1, bytes: 1 },
};

describe('the form of a registry', () => {
  it('gives what the server takes, for the public npm registry at once', () => {
    expect(methods['upstream.create'].input.safeParse(settingsOf(publicNpm)).success).toBe(true);
    expect(methods['upstream.create'].input.safeParse(settingsOf(emptyRegistry)).success).toBe(false);
  });

  it('has the URL of the public registry for the type npm until another one is typed', () => {
    expect(emptyRegistry.url).toBe(addressExamples.npm);
    const typed = { ...emptyRegistry, name: 'work', url: 'https://npm.acme.example' };
    expect(withKind(emptyRegistry, 'gitlab')).toMatchObject({ url: '' });
    expect(withKind({ ...typed, url: '' }, 'npm')).toEqual({ kind: 'npm', url: addressExamples.npm });
    expect(withKind(typed, 'npm')).toEqual({ kind: 'npm', url: typed.url });
    // The server completes it when it is saved; under the hands it stays.
    for (const kind of ['verdaccio', 'gatehouse'] as const)
      expect(withKind(typed, kind)).toEqual({ kind, url: typed.url });
  });

  it('keeps no name of the public registry for another type', () => {
    expect(withKind(publicNpm, 'verdaccio')).toEqual({ kind: 'verdaccio', url: '', name: '' });
    expect(withKind({ ...publicNpm, name: 'mine' }, 'verdaccio')).toMatchObject({ name: 'mine' });
  });

  it('takes the path or the number of a project in place of a URL that the person cannot know', () => {
    const draft = {
      ...emptyRegistry,
      name: 'x',
      kind: 'gitlab',
      url: 'https://acme.example/git/api/v4/packages/npm',
    } as const;
    const sentFor = (pushUrl: string, more: Partial<RegistryDraft> = {}) =>
      settingsOf({ ...draft, ...more, pushUrl }).pushUrl;
    const projects = 'https://acme.example/git/api/v4/projects';
    expect(sentFor(' acme/tools ')).toBe(`${projects}/acme%2Ftools/packages/npm`);
    expect(sentFor('/acme/tools/')).toBe(`${projects}/acme%2Ftools/packages/npm`);
    expect(sentFor('42')).toBe(`${projects}/42/packages/npm`);
    expect(sentFor('')).toBeNull();
    expect(sentFor('https://other.example/npm')).toBe('https://other.example/npm');
    const server = { kind: 'gatehouse', url: 'http://localhost:4899/' } as const;
    expect(sentFor('local/packages', server)).toBe(
      'http://localhost:4899/api/v4/projects/local%2Fpackages/packages/npm',
    );
    // A plain npm registry has no projects.
    const npm = methods['upstream.create'].input.safeParse(
      settingsOf({ ...draft, kind: 'npm', pushUrl: 'acme/tools' }),
    );
    expect(npm.error?.issues).toMatchObject([{ path: ['pushUrl'] }]);
  });

  it('shows the project of a publish URL at the same server, and any other URL as it is', () => {
    const shown = (pushUrl: string) => draftOf({ ...upstream, pushUrl }).pushUrl;
    const projects = 'https://git.acme.example/api/v4/projects';
    expect(shown(`${projects}/acme%2Ftools/packages/npm`)).toBe('acme/tools');
    expect(shown(`${projects}/42/packages/npm`)).toBe('42');
    for (const url of [
      `${projects}/acme%2ftools/packages/npm`,
      `${projects}/1/else`,
      'https://b.example/api/v4/projects/1/packages/npm',
    ])
      expect(shown(url)).toBe(url);
  });

  it('knows whose packages are sent where there is one project, or the scope has an owner', () => {
    const [one, two] = [1, 2].map((id) => ({ id, fullPath: `acme/${id}` })) as [Place, Place];
    const groups = [{ id: 7, fullPath: 'acme' }];
    const claims = [{ name: '@acme', owner: 'acme', claimedBy: 'root', claimedAt: 0 }];
    expect(impliedOrigin([], [one], groups, claims)).toBeNull();
    expect(impliedOrigin(['*'], [one], [], [])).toEqual({ projectIds: [1] });
    expect(impliedOrigin(['@acme/*', '@Acme/tool'], [one, two], groups, claims)).toEqual({ groupId: 7 });
    expect(impliedOrigin(['@acme/*', 'tiny'], [one, two], groups, claims)).toBeNull();
    expect(impliedOrigin(['@acme/*'], [one, two], groups, [])).toBeNull();
  });

  it("publishes to another Gatehouse's first project until a project is typed", () => {
    const registry: RegistryDraft = { ...emptyRegistry, kind: 'gatehouse', url: addressExamples.gatehouse };
    expect(targetToSend(registry, 'gatehouse')).toBe('local/packages');
    expect(targetToSend({ ...registry, pushUrl: 'acme/tools' }, 'gatehouse')).toBe('acme/tools');
    expect(targetToSend({ ...registry, pushUrl: 'local/packages' }, 'gitlab')).toBe('');
    expect(targetToSend(registry, 'npm')).toBe('');
    // Typed for a GitLab, it is that one's project.
    expect(targetToSend({ ...registry, kind: 'gitlab', pushUrl: 'local/packages' }, 'gitlab')).toBe('local/packages');
    const url = 'http://localhost:4899/api/v4/projects/4/packages/npm';
    expect(targetToSend({ ...registry, url }, 'gatehouse')).toBe('');
  });

  it('tells a URL that takes publishes from those of groups and instances', () => {
    for (const kind of ['gitlab', 'gatehouse'] as const) {
      const { pushUrl } = settingsOf({ ...emptyRegistry, kind, url: addressExamples[kind], pushUrl: 'acme/tools' });
      expect(isProjectUrl(addressExamples[kind])).toBe(false);
      expect(isProjectUrl(pushUrl ?? '')).toBe(true);
    }
  });

  it('asks for all without which nothing is sent, once anything of it is given, and at once where it is for sending', () => {
    const requiredFor = (more: Partial<RegistryDraft>, isForSending = false) =>
      Object.keys(requiredToSend({ ...emptyRegistry, ...more }, isForSending));
    const origin = { projectIds: [1] };
    expect(requiredFor({ pushUrl: 'https://npm.acme.example' })).toEqual([]);
    expect(requiredFor({}, true)).toEqual(['pushSelection', 'pushFrom']);
    for (const given of [{ pushSelection: ['@acme'] }, { pushFrom: origin }, { autoPush: true }]) {
      expect(requiredFor(given)).toEqual(['pushSelection', 'pushFrom']);
    }
    const gitlab = { kind: 'gitlab', url: addressExamples.gitlab, pushFrom: origin } as const;
    expect(requiredFor(gitlab)).toContain('pushUrl');
    expect(requiredFor({ ...gitlab, url: 'https://git.acme.example/api/v4/projects/4/packages/npm' })).not.toContain(
      'pushUrl',
    );
  });

  it('says nothing of the token where it stays', () => {
    const draft = draftOf(upstream);
    expect(settingsOf(draft)).not.toHaveProperty('token');
    expect(settingsOf({ ...draft, removeToken: true })).toHaveProperty('token', null);
    expect(settingsOf({ ...draft, removeToken: true, token: ' new ' })).toHaveProperty('token', 'new');
  });

  it('keeps every setting of a registry that is saved as it is', () => {
    const { id: _id, hasToken: _hasToken, state: _state, cache: _cache, ...settings } = upstream;
    expect(settingsOf(draftOf(upstream))).toEqual(settings);
  });

  it('has times in seconds, as typed', () => {
    const draft = draftOf(upstream);
    expect(draft).toMatchObject({ freshSeconds: 60, budgetSeconds: 3, timeoutSeconds: 5 });
    expect(settingsOf({ ...draft, budgetSeconds: '0.35', timeoutSeconds: 2.5 })).toMatchObject({
      budgetMilliseconds: 350,
      timeoutMilliseconds: 2500,
    });
  });

  it('warns where a new host would take the token away', () => {
    const draft = draftOf(upstream);
    expect(losesToken(upstream, { ...draft, url: 'https://git.acme.example/elsewhere' })).toBe(false);
    expect(losesToken(upstream, { ...draft, url: 'https://other.example' })).toBe(true);
    expect(losesToken(upstream, { ...draft, url: 'https://other.example', token: 'x' })).toBe(false);
    expect(losesToken({ ...upstream, hasToken: false }, { ...draft, url: 'https://other.example' })).toBe(false);
  });
});

describe('the status of a registry', () => {
  it('comes with the reason', () => {
    expect(statusOf(upstream).label).toBe('Reachable');
    const away = { ...upstream.state, status: 'away', lastError: 'It cannot be found.' } as const;
    expect(statusOf({ ...upstream, state: away })).toMatchObject({
      label: 'Unreachable',
      detail: 'It cannot be found.',
    });
    const found = (finding: 'token_wanted' | 'token_refused' | 'no_registry') =>
      statusOf({ ...upstream, state: { ...upstream.state, finding } }).label;
    expect([found('token_wanted'), found('token_refused'), found('no_registry')]).toEqual([
      'Needs a token',
      'Token refused',
      'No registry',
    ]);
    expect(statusOf({ ...upstream, enabled: false, state: away }).label).toBe('Disabled');
    expect(statusOf({ ...upstream, kind: 'archive' }).label).toBe('Local');
  });

  it('names its scopes, and the star in words', () => {
    const npm = { scopes: ['*'] };
    expect(scopeTexts(['@acme', '*'], [{ scopes: ['@acme', '*'] }])).toEqual(['@acme', 'All others']);
    expect(scopeTexts(npm.scopes, [npm, upstream])).toEqual(['All others']);
    expect(scopeTexts(npm.scopes, [npm])).toEqual(['All']);
    expect(scopeTexts([], [npm])).toEqual(['None']);
  });
});

it.each([
  ['nothing is sent yet', { pushSelection: [], pushFrom: null }, true],
  ['it is the one that sends', { pushSelection: ['*'], pushFrom: { projectIds: [1] } }, true],
  ['its group sends, with projects to come', { pushSelection: ['*'], pushFrom: { groupId: 2 } }, false],
  ['nobody sends what is chosen: the form refuses that at the field', { pushSelection: ['*'], pushFrom: null }, false],
])('of a single project, where packages come from is no choice where %s: %s', (_when, draft, isNone) => {
  const projects = [{ id: 1, fullPath: 'local/packages' }];
  expect(isFromOnlyProject({ ...emptyRegistry, ...draft }, projects)).toBe(isNone);
  expect(isFromOnlyProject({ ...emptyRegistry, ...draft }, [...projects, { id: 2, fullPath: 'a/b' }])).toBe(false);
});
