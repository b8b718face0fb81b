import type { MethodParams } from '../../../../server/contract/methods.ts';
import {
  publishAddress,
  publishTarget,
  takesProjects,
  type Claim,
  type PushOrigin,
  type Upstream,
} from '../../../../server/contract/upstream.ts';

export type RegistryKind = MethodParams<'upstream.create'>['kind'];

/** The settings of a registry in the form. */
export type RegistryDraft = {
  name: string;
  kind: RegistryKind;
  url: string;
  /** A URL; of GitLab and Gatehouse a project's path or number. */
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
  gitlab: 'https://gitlab.example.com',
  verdaccio: 'http://localhost:4873',
  gatehouse: 'http://192.168.1.20:4899',
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

/** The type and what goes with it: the public registry's name and URL go when the type changes, what was typed stays. */
export function withKind({ name, url }: RegistryDraft, kind: RegistryKind): Partial<RegistryDraft> {
  if (kind === 'npm') return { kind, url: url.trim() === '' ? addressExamples.npm : url };
  if (url !== addressExamples.npm) return { kind, url };
  return { kind, url: '', name: name === publicNpm.name ? '' : name };
}

/** The project that every Gatehouse has from its first start. */
const firstProject = 'local/packages';

/**
 * Where a registry of type `kind` publishes to once something is to be sent: to what was typed, else a Gatehouse's first project, which goes
 * when the type is changed to another.
 */
export function targetToSend({ kind: before, url, pushUrl }: RegistryDraft, kind: RegistryKind): string {
  const typed = before === 'gatehouse' && pushUrl.trim() === firstProject ? '' : pushUrl;
  return typed.trim() === '' && kind === 'gatehouse' && !isProjectUrl(url) ? firstProject : typed;
}

interface Place {
  readonly id: number;
  readonly fullPath: string;
}

/** Whose packages are meant, where that is clear: the only project's, or those of the top group that owns the one scope. */
export function impliedOrigin(
  selection: readonly string[],
  projects: readonly Place[],
  topGroups: readonly Place[],
  claims: readonly Claim[],
): PushOrigin | null {
  const [only, ...others] = projects;
  if (selection.length === 0) return null;
  if (only !== undefined && others.length === 0) return { projectIds: [only.id] };
  const scopes = new Set(selection.map((selector) => selector.split('/')[0]?.toLowerCase()));
  const [scope] = scopes;
  const owner = scopes.size === 1 ? claims.find(({ name }) => name === scope)?.owner : undefined;
  const group = topGroups.find(({ fullPath }) => fullPath === owner);
  return group === undefined ? null : { groupId: group.id };
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
    pushUrl: publishTarget(kind, upstream.url, upstream.pushUrl ?? ''),
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
    pushUrl: publishAddress(draft.kind, draft.url.trim(), draft.pushUrl.trim()) || null,
    minimumAgeDays: Number(draft.minimumAgeDays),
    freshSeconds: Number(draft.freshSeconds),
    budgetMilliseconds: Math.round(Number(budgetSeconds) * 1000),
    timeoutMilliseconds: Math.round(Number(timeoutSeconds) * 1000),
    ...(token !== '' ? { token } : removeToken ? { token: null } : {}),
  };
}

/**
 * The fields that must not be empty once something is to be sent, each with the sentence that says so; none before.
 * @param isForSending whether that is what the registry is added or edited for
 */
export function requiredToSend(
  { kind, url, pushSelection, pushFrom, autoPush }: RegistryDraft,
  isForSending: boolean,
): Partial<Record<keyof RegistryDraft, string>> {
  if (!isForSending && pushSelection.length === 0 && pushFrom === null && !autoPush) return {};
  return {
    pushSelection: 'Choose the packages that are sent.',
    pushFrom: 'Choose the projects whose packages are sent.',
    ...(takesProjects(kind) &&
      !isProjectUrl(url) && { pushUrl: 'Enter the project that the packages are published to.' }),
  };
}

/** Whether the only project there is sends the packages, so that there is nothing to choose. */
export function isFromOnlyProject({ pushSelection, pushFrom }: RegistryDraft, projects: readonly Place[]): boolean {
  const [only, ...others] = projects;
  if (only === undefined || others.length > 0) return false;
  if (pushFrom === null) return pushSelection.length === 0;
  return 'projectIds' in pushFrom && pushFrom.projectIds.every((id) => id === only.id);
}

/** Whether saving `draft` removes the token of `before`: it was given for another host. */
export function losesToken(before: Upstream, draft: RegistryDraft): boolean {
  if (!before.hasToken || draft.token.trim() !== '' || !URL.canParse(draft.url)) return false;
  return new URL(draft.url).origin !== new URL(before.url).origin;
}
