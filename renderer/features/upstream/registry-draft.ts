import type { MethodParams } from '../../../server/contract/methods.ts';
import type { Upstream } from '../../../server/contract/upstream.ts';

export type RegistryKind = MethodParams<'upstream.create'>['kind'];

/** The settings of a registry as they stand in the form. */
export interface RegistryDraft {
  name: string;
  kind: RegistryKind;
  url: string;
  pushUrl: string;
  /** Empty: keep the one that is there. */
  token: string;
  removeToken: boolean;
  scopes: string[];
  enabled: boolean;
  minimumAgeDays: number | string;
  minimumAgeExceptions: string[];
  freshSeconds: number | string;
  budgetMilliseconds: number | string;
  pushSelection: string[];
  autoPush: boolean;
}

/** What an address of each kind looks like. */
export const addressExamples: Record<RegistryKind, string> = {
  npm: 'https://registry.example.com',
  gitlab: 'https://gitlab.example.com/api/v4/groups/acme/-/packages/npm',
  verdaccio: 'http://localhost:4873',
  gatehouse: 'http://192.168.1.20:4899/api/v4/packages/npm',
};

/** Where packages are published to: GitLab and Gatehouse take them at a project only. */
export const pushExamples: Partial<Record<RegistryKind, string>> = {
  gitlab: 'https://gitlab.example.com/api/v4/projects/42/packages/npm',
  gatehouse: 'http://192.168.1.20:4899/api/v4/projects/1/packages/npm',
};

/** A public npm registry, for every name that nobody else has; only its address is left to fill in. */
export const publicNpm: RegistryDraft = {
  name: 'npm',
  kind: 'npm',
  url: '',
  pushUrl: '',
  token: '',
  removeToken: false,
  scopes: ['*'],
  enabled: true,
  minimumAgeDays: 0,
  minimumAgeExceptions: [],
  freshSeconds: 60,
  budgetMilliseconds: 3000,
  pushSelection: [],
  autoPush: false,
};

export const emptyRegistry: RegistryDraft = { ...publicNpm, name: '', scopes: [] };

/** The form for a registry that is there. */
export function draftOf(upstream: Upstream): RegistryDraft {
  const { kind, pushUrl, ...settings } = upstream;
  return {
    ...settings,
    kind: kind === 'archive' ? 'npm' : kind,
    pushUrl: pushUrl ?? '',
    token: '',
    removeToken: false,
    scopes: [...upstream.scopes],
    minimumAgeExceptions: [...upstream.minimumAgeExceptions],
    pushSelection: [...upstream.pushSelection],
  };
}

/** What the server is told. The token is left out where it stays as it is. */
export function settingsOf(draft: RegistryDraft): Omit<MethodParams<'upstream.create'>, 'token'> & {
  token?: string | null;
} {
  const token = draft.token.trim();
  return {
    name: draft.name.trim(),
    kind: draft.kind,
    url: draft.url.trim(),
    pushUrl: draft.pushUrl.trim() === '' ? null : draft.pushUrl.trim(),
    scopes: draft.scopes,
    enabled: draft.enabled,
    minimumAgeDays: Number(draft.minimumAgeDays),
    minimumAgeExceptions: draft.minimumAgeExceptions,
    freshSeconds: Number(draft.freshSeconds),
    budgetMilliseconds: Number(draft.budgetMilliseconds),
    pushSelection: draft.pushSelection,
    autoPush: draft.autoPush,
    ...(token !== '' ? { token } : draft.removeToken ? { token: null } : {}),
  };
}

/** Whether saving `draft` takes away the token of `before`: it was given for another host. */
export function losesToken(before: Upstream, draft: RegistryDraft): boolean {
  if (!before.hasToken || draft.token.trim() !== '' || !URL.canParse(draft.url)) return false;
  return new URL(draft.url).origin !== new URL(before.url).origin;
}
