import { type Tier, tiers } from '../../../contract/constants.ts';
import { GatehouseError } from '../../../contract/errors.ts';
import type { Principal } from '../../../accounts/access/principal.ts';
import { restOn } from '../../../accounts/access/standing.ts';
import type { ProjectRecord } from '../../../accounts/records.ts';
import { guessTier } from '../../../environments/naming.ts';
import type { EnvironmentRecord } from '../../../environments/records.ts';
import { nextTurn } from '../../../lib/turns.ts';
import { created, JsonText, noContent, ok } from '../../respond.ts';
import { ParameterError } from '../../errors.ts';
import { requireUnmodified } from '../../preconditions.ts';
import { type GitlabCall, type GitlabRoute, type Handler, idOf, pageOf, projectOf, read } from '../call.ts';
import { boolean, choice, type Declaration, integer, moment, refused, text } from '../params.ts';

import { presentDeployer, presentEnvironment } from '../present-environments.ts';
import { dayLength } from '../../../lib/calendar.ts';
import { visibleGroups } from '../../visibility.ts';

const item = '/projects/:id/environments/:environment_id';
const noSlug = refused('slug', 'is automatically generated and cannot be changed');

const staleness = { before: moment({ required: true }) } satisfies Declaration;
const cleanup = { before: moment(), limit: integer(), dry_run: boolean() } satisfies Declaration;

const filters = {
  name: text(),
  search: text(),
  states: choice(['available', 'stopping', 'stopped']),
} satisfies Declaration;

const changes = {
  external_url: text(),
  no_slug: noSlug,
  tier: choice(tiers),
  description: text(),
} satisfies Declaration;

const newEnvironment = { name: text({ required: true }), ...changes } satisfies Declaration;

function environmentOf(call: GitlabCall, project: ProjectRecord): EnvironmentRecord {
  return call.registry.environments.environments.get(project.id, idOf(call, 'environment_id'));
}

/** The environment of a call, if its protection lets the caller touch it. */
function deployableOf(call: GitlabCall, project: ProjectRecord): EnvironmentRecord {
  const environment = environmentOf(call, project);
  requireDeployable(call, project, environment.name);
  return environment;
}

/** @throws GatehouseError `forbidden` if the caller may not deploy to an environment; decided again inside each write of the request. */
function requireDeployable(call: GitlabCall, { id }: ProjectRecord, name: string): void {
  const decide = (principal: Principal) => {
    if (!mayDeploy(call, principal, id, name)) throw new GatehouseError('forbidden');
  };
  decide(call.principal);
  restOn(decide);
}

function mayDeploy({ registry }: GitlabCall, principal: Principal, projectId: number, name: string): boolean {
  const user = principal.kind === 'user' ? registry.directory.index.users.get(principal.user.id) : undefined;
  return user !== undefined && registry.environments.access.allows(projectId, name, user);
}

/**
 * Refuses another tier to who may not change rules, where those who may deploy wait for approval: with the tier go the approval rules that
 * groups have for it.
 */
function requireTier(call: GitlabCall, { id }: ProjectRecord, name: string, tier: Tier): void {
  if (holdsTier(call, id, name, tier)) projectOf(call, 'protected_environments.write');
}

function holdsTier({ registry }: GitlabCall, projectId: number, name: string, tier: Tier): boolean {
  if (tier === registry.environments.access.tierOf(projectId, name)) return false;
  const { guards } = registry.guards.guards.of(projectId);
  return guards.some(({ environment, deployersWait }) => environment === name && deployersWait);
}

/** Stops what has not changed since a moment, except what is protected. */
const stopStale: Handler = async (call) => {
  const project = projectOf(call, 'project.update');
  const { before } = read(call, staleness);
  const { environments, access } = call.registry.environments;
  const stale = environments
    .list(project.id)
    .filter((environment) => environment.updatedAt < (before ?? 0) && environment.state === 'available')
    .filter((environment) => !access.isProtected(project.id, environment.name));
  for (const { id } of stale) await environments.stop(call.actor, project.id, id);
  return ok({ message: 'Successfully requested stop for all stale environments' });
};

const monthMilliseconds = 30 * dayLength;

/**
 * Deletes stopped environments in the folder `review/`, as far as their protection lets the caller touch them; without `dry_run=false` only
 * says which.
 */
const removeReviewApps: Handler = async (call) => {
  const project = projectOf(call, 'environments.delete');
  const { before, limit, dry_run: dryRun } = read(call, cleanup);
  const { environments } = call.registry.environments;
  const latest = before ?? call.registry.directory.now() - monthMilliseconds;
  const found = environments
    .list(project.id)
    .filter(({ name, state, updatedAt }) => name.startsWith('review/') && state === 'stopped' && updatedAt < latest)
    .slice(0, Math.min(Math.max(limit ?? 100, 1), 1000));
  const { yes: scheduled = [], no: protectedOnes = [] } = Object.groupBy(found, ({ name }) =>
    mayDeploy(call, call.principal, project.id, name) && !holdsTier(call, project.id, name, guessTier(name))
      ? 'yes'
      : 'no',
  );
  if (dryRun === false) for (const { id } of scheduled) await environments.delete(call.actor, project.id, id);
  const entry = ({ id, name, slug, externalUrl }: EnvironmentRecord) => ({ id, name, slug, external_url: externalUrl });
  return ok({ scheduled_entries: scheduled.map(entry), unprocessable_entries: protectedOnes.map(entry) });
};

const listEnvironments: Handler = (call) => {
  const project = projectOf(call, 'environments.read');
  const filter = read(call, filters);
  if (filter.name && filter.search) throw new ParameterError('name, search cannot be used together');
  if (filter.search && filter.search.length < 3) {
    const complaint = 'Search query is less than 3 characters';
    throw new GatehouseError('invalid_request', complaint, { gitlabMessage: `400 Bad request - ${complaint}` });
  }
  const search = filter.search?.toLowerCase();
  const environments = call.registry.environments.environments
    .list(project.id)
    .filter((environment) => !filter.name || environment.name === filter.name)
    .filter((environment) => !search || environment.name.toLowerCase().includes(search))
    .filter((environment) => !filter.states || environment.state === filter.states);
  return pageOf(call, environments, (environment) => presentEnvironment(call, environment, project));
};

const createEnvironment: Handler = async (call) => {
  const project = projectOf(call, 'environments.create');
  const input = read(call, newEnvironment);
  const name = input.name ?? '';
  // Another tier than the name's own would lift what a group protects by tier.
  if (input.tier && input.tier !== call.registry.environments.access.tierOf(project.id, name)) {
    const { access } = call.registry.environments;
    if (access.isProtected(project.id, name)) requireDeployable(call, project, name);
    requireTier(call, project, name, input.tier);
  }
  const environment = await call.registry.environments.environments.create(call.actor, project.id, {
    name,
    tier: input.tier ?? null,
    externalUrl: input.external_url ?? null,
    description: input.description ?? null,
  });
  return created(presentEnvironment(call, environment, project));
};

const getEnvironment: Handler = (call) => {
  const project = projectOf(call, 'environments.read');
  return ok({ ...presentEnvironment(call, environmentOf(call, project), project), last_deployment: null });
};

const updateEnvironment: Handler = async (call) => {
  const project = projectOf(call, 'environments.update');
  const input = read(call, changes);
  const { id, name } = deployableOf(call, project);
  if (input.tier) requireTier(call, project, name, input.tier);
  const environment = await call.registry.environments.environments.update(call.actor, project.id, id, {
    ...(input.external_url === undefined ? {} : { externalUrl: input.external_url }),
    ...(input.description === undefined ? {} : { description: input.description }),
    ...(input.tier ? { tier: input.tier } : {}),
  });
  return ok(presentEnvironment(call, environment, project));
};

const stopEnvironment: Handler = async (call) => {
  const project = projectOf(call, 'environments.stop');
  const { id } = deployableOf(call, project);
  const environment = await call.registry.environments.environments.stop(call.actor, project.id, id);
  return ok(presentEnvironment(call, environment, project));
};

const deleteEnvironment: Handler = async (call) => {
  const project = projectOf(call, 'environments.delete');
  const environment = deployableOf(call, project);
  requireTier(call, project, environment.name, guessTier(environment.name));
  requireUnmodified(call.req, environment.updatedAt);
  await call.registry.environments.environments.delete(call.actor, project.id, environment.id);
  return noContent;
};

/** Every environment with its deployers: the whole matrix, never in pages. */
const accessMatrix: Handler = async (call) => {
  const project = projectOf(call, 'deploy_access.read');
  const matrix = await call.registry.environments.access.matrix(project.id, visibleGroups(call));
  const rows: string[] = [];
  let deployers = 0;
  for (const { environment, protected: isProtected, tier, users } of matrix) {
    deployers += users.length;
    if (deployers > deployersPerTurn) {
      await nextTurn();
      deployers = 0;
    }
    const row = {
      environment,
      protected: isProtected,
      tier,
      users: users.map((answer) => presentDeployer(call, answer)),
    };
    rows.push(JSON.stringify(row));
  }
  return ok(new JsonText(`[${rows.join(',')}]`));
};

/** Deployers of a matrix that are written in one turn of the event loop. */
const deployersPerTurn = 1000;

/** Environments of a project. */
export const environmentRoutes: readonly GitlabRoute[] = [
  {
    pattern: '/projects/:id/environments',
    GET: {
      handle: listEnvironments,
      summary: 'List the environments of a project',
      access: 'environments.read',
      parameters: filters,
      paged: true,
      answers: { 200: 'Environment[]' },
    },
    POST: {
      handle: createEnvironment,
      summary: 'Create an environment',
      access: 'environments.create',
      parameters: newEnvironment,
      answers: { 201: 'Environment' },
    },
  },
  {
    pattern: '/projects/:id/environments/access',
    GET: {
      handle: accessMatrix,
      summary: 'Show who can deploy where in a project',
      description: 'Every environment with everyone who can deploy to it, never in pages. Not part of GitLab.',
      access: 'deploy_access.read',
      answers: { 200: 'EnvironmentAccess[]' },
    },
  },
  {
    pattern: '/projects/:id/environments/stop_stale',
    POST: {
      handle: stopStale,
      summary: 'Stop the environments that have not changed since a moment',
      description: 'Protected ones are left alone.',
      access: 'project.update',
      parameters: staleness,
      answers: { 200: 'Message' },
    },
  },
  {
    pattern: '/projects/:id/environments/review_apps',
    DELETE: {
      handle: removeReviewApps,
      summary: 'Delete stopped environments in review/',
      description: 'Says which it would delete, and deletes them only with `dry_run=false`.',
      access: 'environments.delete',
      parameters: cleanup,
      answers: { 200: 'ReviewAppsRemoval' },
    },
  },
  {
    pattern: item,
    GET: {
      handle: getEnvironment,
      summary: 'Show an environment',
      access: 'environments.read',
      answers: { 200: 'EnvironmentDetail' },
    },
    PUT: {
      handle: updateEnvironment,
      summary: 'Change an environment',
      description: 'The protection of the environment must let the caller deploy.',
      access: 'environments.update',
      parameters: changes,
      answers: { 200: 'Environment' },
    },
    DELETE: {
      handle: deleteEnvironment,
      summary: 'Delete an environment',
      description: 'It must be stopped, and its protection must let the caller deploy.',
      access: 'environments.delete',
      answers: { 204: 'nothing' },
      errors: [412],
    },
  },
  {
    pattern: `${item}/stop`,
    POST: {
      handle: stopEnvironment,
      summary: 'Stop an environment',
      description: 'The protection of the environment must let the caller deploy.',
      access: 'environments.stop',
      answers: { 200: 'Environment' },
    },
  },
];
