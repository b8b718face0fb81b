import type { MethodParams } from '../../../../server/contract/methods.ts';
import type { PushOrigin, Upstream } from '../../../../server/contract/upstream.ts';

export type RegistryKind = MethodParams<'upstream.create'>['kind'];

/** The settings of a registry in the form. */
export type RegistryDraft = {
  name: string;
  kind: RegistryKind;
  url: string;
  pushUrl: string;
  /** Empty: keep the current one. */
  token: string;
  removeToken: boolean;
  scopes: string[];
  enabled: boolean;
  minimumAgeDays: number | string;
  minimumAgeExceptions: string[];
  freshSeconds: number | string;
  budgetSeconds: number | string;
  timeoutSeconds: number | string;
  pushSelection: string[];
  pushFrom: PushOrigin | null;
  autoPush: boolean;
};

/** An example URL of each kind; that of npm is the public registry's, which a new one starts with. */
export const addressExamples: Record<RegistryKind, string> = {
  npm: 'https://registry.npmjs.org/',
  gitlab: 'https://gitlab.example.com/api/v4/groups/acme/-/packages/npm',
  verdaccio: 'http://localhost:4873',
  gatehouse: 'http://192.168.1.20:4899/api/v4/packages/npm',
};

/** GitLab and Gatehouse take publishes at a project only. */
export const pushExamples: Partial<Record<RegistryKind, string>> = {
  gitlab: 'https://gitlab.example.com/api/v4/projects/42/packages/npm',
  gatehouse: 'http://192.168.1.20:4899/api/v4/projects/1/packages/npm',
};

/** Whether a URL of GitLab or Gatehouse is a project's, so that it takes publishes, too. */
export function isProjectUrl(url: string): boolean {
  return /\/projects\/[^/]+\/packages\/npm\/?$/.test(url.trim());
}

/** The public npm registry, for all other names. */
export const publicNpm: RegistryDraft = {
  name: 'npm',
  kind: 'npm',
  url: addressExamples.npm,
  pushUrl: '',
  token: '',
  removeToken: false,
  scopes: ['*'],
  enabled: true,
  minimumAgeDays: 0,
  minimumAgeExceptions: [],
  freshSeconds: 60,
  budgetSeconds: 3,
  timeoutSeconds: 5,
  pushSelection: [],
  pushFrom: null,
  autoPush: false,
};

export const emptyRegistry: RegistryDraft = { ...publicNpm, name: '', scopes: [] };

/** The URL after a change of the type: that of the public registry comes and goes with the type, one that was typed stays. */
export function urlOfKind(url: string, kind: RegistryKind): string {
  if (kind !== 'npm') return url === addressExamples.npm ? '' : url;
  return url.trim() === '' ? addressExamples.npm : url;
}

/** The form of an existing registry. */
export function draftOf(upstream: Upstream): RegistryDraft {
  const { id: _id, hasToken: _hasToken, state: _state, cache: _cache, kind, ...rest } = upstream;
  const { budgetMilliseconds, timeoutMilliseconds, ...settings } = rest;
  return {
    ...settings,
    budgetSeconds: budgetMilliseconds / 1000,
    timeoutSeconds: timeoutMilliseconds / 1000,
    kind: kind === 'archive' ? 'npm' : kind,
    pushUrl: upstream.pushUrl ?? '',
    token: '',
    removeToken: false,
  };
}

/** What is sent to the server. The token is left out where it does not change. */
export function settingsOf(draft: RegistryDraft): Omit<MethodParams<'upstream.create'>, 'token'> & {
  token?: string | null;
} {
  const { token: typedToken, removeToken, budgetSeconds, timeoutSeconds, ...settings } = draft;
  const token = typedToken.trim();
  return {
    ...settings,
    name: draft.name.trim(),
    url: draft.url.trim(),
    pushUrl: draft.pushUrl.trim() || null,
    minimumAgeDays: Number(draft.minimumAgeDays),
    freshSeconds: Number(draft.freshSeconds),
    budgetMilliseconds: Math.round(Number(budgetSeconds) * 1000),
    timeoutMilliseconds: Math.round(Number(timeoutSeconds) * 1000),
    ...(token !== '' ? { token } : removeToken ? { token: null } : {}),
  };
}

/** Whether saving `draft` removes the token of `before`: it was given for another host. */
export function losesToken(before: Upstream, draft: RegistryDraft): boolean {
  if (!before.hasToken || draft.token.trim() !== '' || !URL.canParse(draft.url)) return false;
  return new URL(draft.url).origin !== new URL(before.url).origin;
}
