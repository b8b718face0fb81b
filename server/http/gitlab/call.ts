import { GatehouseError } from '../../contract/errors.ts';
import type { EffectiveLevel } from '../../contract/levels.ts';
import { authorizeGroup, authorizeProject, levelInGroup, levelInProject } from '../../accounts/access/authorize.ts';
import { type Action, decide, mayGrant } from '../../accounts/access/policy.ts';
import type { Principal } from '../../accounts/access/principal.ts';
import { restOn } from '../../accounts/access/standing.ts';
import type { Actor } from '../../accounts/change.ts';
import type { Container, NamespaceRecord, ProjectRecord } from '../../accounts/records.ts';
import { type Answer, ok } from '../respond.ts';
import type { Call } from '../caller.ts';
import type { Operation } from '../operation.ts';
import type { PathParameters, Route } from '../route-matcher.ts';
import { pageHeaders, readPage } from './lists.ts';
import { type Declaration, integer, readParameters, type Values } from './params.ts';
import type { Parameters } from './request-parameters.ts';

/** One request of GitLab's API. */
export interface GitlabCall extends Omit<Call, 'res'> {
  readonly actor: Actor;
  /** Raw path with the mount point, without the query. */
  readonly rawPath: string;
  readonly query: URLSearchParams;
  readonly path: PathParameters;
  /**
   * Parameters of query, body and path, the later ones winning; to be read after authorisation.
   * @throws ParameterError or GatehouseError if the body could not be read.
   */
  parameters(): Parameters;
}

export type Handler = (call: GitlabCall) => Answer | Promise<Answer>;

export interface GitlabOperation extends Operation<Handler> {
  /** Declared parameters; clients send them in the query of a GET or DELETE, in the body of a POST or PUT. */
  readonly parameters?: Declaration;
  /** Whether the answer is one page of a list. */
  readonly paged?: true;
}
export type GitlabRoute = Route<GitlabOperation>;

export const accepted: Answer = { status: 202, body: { message: '202 Accepted' } };

/** The declared parameters of a call. @throws ParameterError. */
export function read<D extends Declaration>(call: GitlabCall, declaration: D): Values<D> {
  return readParameters(declaration, call.parameters());
}

/** The id that a path has under `name`. @throws ParameterError if it is no number. */
export function idOf(call: GitlabCall, name: string): number {
  return read(call, { [name]: integer({ required: true }) })[name] ?? 0;
}

/** One page of a list as 200 with GitLab's headers. */
export function pageOf<T>(call: GitlabCall, rows: readonly T[], present: (row: T) => unknown): Answer {
  const page = readPage(call.parameters());
  const shown = rows.slice(page.offset, page.offset + page.perPage);
  return ok(shown.map(present), pageHeaders(call, page, rows.length));
}

/** The project that `:id` names, if the caller may do `action` with it. @throws as `authorizeProject`. */
export function projectOf({ registry, principal, path }: GitlabCall, action: Action): ProjectRecord {
  return authorizeProject(registry.directory, principal, path['id'] ?? '', action);
}

/** The group that `:id` names, if the caller may do `action` with it. @throws as `authorizeGroup`. */
export function groupOf({ registry, principal, path }: GitlabCall, action: Action): NamespaceRecord {
  return authorizeGroup(registry.directory, principal, path['id'] ?? '', action);
}

/** Whether the caller may do `action` with a project. */
export function may({ principal, registry }: GitlabCall, project: ProjectRecord, action: Action): boolean {
  const level = levelInProject(registry.directory, principal, project);
  return decide(action, { principal, level, visibility: project.visibility }).allowed;
}

/** A project or group whose members are meant, with the caller's effective access there. */
export interface Place {
  readonly container: Container;
  readonly level: EffectiveLevel;
}

/** As `projectOf`, as a place. */
export function projectPlace(call: GitlabCall, action: Action): Place {
  const container = { kind: 'project', id: projectOf(call, action).id } as const;
  return { container, level: levelAt(call, container) };
}

/** As `groupOf`, as a place. */
export function groupPlace(call: GitlabCall, action: Action): Place {
  const container = { kind: 'group', id: groupOf(call, action).id } as const;
  return { container, level: levelAt(call, container) };
}

function levelAt({ registry: { directory }, principal }: GitlabCall, { kind, id }: Container): EffectiveLevel {
  return kind === 'project' ? levelInProject(directory, principal, { id }) : levelInGroup(directory, principal, { id });
}

/** @throws GatehouseError `forbidden` if a role is above the caller's own; decided again inside each write of the request. */
export function requireMayGrant(call: GitlabCall, { container }: Place, level: number): void {
  const decide = (principal: Principal) => {
    if (!mayGrant(principal, levelAt({ ...call, principal }, container), level)) throw new GatehouseError('forbidden');
  };
  decide(call.principal);
  restOn(decide);
}
