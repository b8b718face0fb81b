import { ok } from '../respond.ts';
import { accountRoutes } from './handlers/account-handlers.ts';
import { accessRoutes } from './handlers/access-handlers.ts';
import { loginRoutes } from './handlers/login-handlers.ts';
import { orgRoutes } from './handlers/org-handlers.ts';
import { putPackument } from './handlers/publish-handlers.ts';
import { getDistTags, getManifest, getPackument, getTarball } from './handlers/read-handlers.ts';
import { releaseRoutes } from './handlers/release-handlers.ts';
import { searchRoutes } from './handlers/search-handlers.ts';
import { serviceRoutes } from './handlers/service-handlers.ts';
import { stageRoutes } from './handlers/stage-handlers.ts';
import { starRoutes } from './handlers/star-handlers.ts';
import { deleteDistTag, putDistTag } from './handlers/tag-handlers.ts';
import { deletePackument, deleteTarball } from './handlers/unpublish-handlers.ts';
import {
  forwardDistTags,
  forwardManifest,
  forwardPackument,
  forwardTarball,
  orForward,
} from './handlers/upstream-handlers.ts';
import type { NpmHandler, NpmRoute } from './npm-call.ts';

const getsPackument = {
  handle: orForward(getPackument, forwardPackument),
  description:
    'The abbreviated form for `Accept: application/vnd.npm.install-v1+json`. Tarball URLs are below the prefix of the request.',
  access: 'packages.read',
  query: {
    write: { type: 'boolean', description: 'For a client that is about to change the package: no copy of a cache.' },
  },
  answers: { 200: 'Packument', 304: 'nothing' },
  errors: [424],
} as const;

const unpublishesPackage = {
  handle: deletePackument,
  description: 'The whole package, of the owner of the name. A revision that is not the current one is refused.',
  access: 'packages.unpublish',
  answers: { 200: 'Ok' },
  errors: [409],
} as const;

const downloads = {
  description: 'With `Range`, `If-Range` and the conditions of HTTP; the bytes never change.',
  access: 'packages.read',
  answers: { 200: 'bytes', 206: 'bytes', 304: 'nothing', 416: 'nothing' },
  errors: [412, 424],
} as const;

const unpublishesVersion = {
  description: 'The last step of `npm unpublish`. The version goes with the document before it, else with this call.',
  access: 'packages.unpublish',
  answers: { 200: 'Ok' },
  errors: [409],
} as const;

const getsTarball = orForward(getTarball, forwardTarball);

/** The calls at the address of a tarball; `where` makes their summaries differ. */
function tarballCalls(where: string, withFolderOr: (handler: NpmHandler) => NpmHandler = (handler) => handler) {
  return {
    GET: { ...downloads, handle: withFolderOr(getsTarball), summary: `Download a tarball${where}` },
    DELETE: {
      ...unpublishesVersion,
      handle: withFolderOr(deleteTarball),
      summary: `Unpublish the version of a tarball${where}`,
    },
  };
}

/** The calls of packages and their tags; of patterns that fit the same path the more particular one first. */
const packageRoutes: readonly NpmRoute[] = [
  {
    pattern: '/-/package/*name/dist-tags',
    GET: {
      handle: orForward(getDistTags, forwardDistTags),
      summary: 'List the dist-tags of a package',
      description: '`latest` is always among them.',
      access: 'packages.read',
      answers: { 200: 'DistTags', 304: 'nothing' },
      errors: [424],
    },
  },
  {
    pattern: '/-/package/*name/dist-tags/:tag',
    PUT: {
      handle: putDistTag,
      summary: 'Set a dist-tag',
      description: 'The body is the version as a JSON string. Yarn 1 gets 200 with `ok`, which it asks for.',
      access: 'packages.set_tag',
      query: { version: { type: 'string', description: 'The version, if there is no body.' } },
      body: 'TaggedVersion',
      answers: { 200: 'Ok', 202: 'WaitingRelease', 204: 'nothing' },
      errors: [409],
    },
    DELETE: {
      handle: deleteDistTag,
      summary: 'Remove a dist-tag',
      access: 'packages.remove_tag',
      answers: { 204: 'nothing' },
      errors: [409],
    },
  },
  {
    pattern: '/*name',
    GET: { ...getsPackument, summary: 'Get a package' },
    PUT: {
      handle: putPackument,
      summary: 'Publish or change a package',
      description:
        'A publish if a tarball comes along, at the prefix of a project. Without one a deprecation (Maintainer), a star (who can read) or new maintainers (Maintainer).',
      access: 'packages.publish',
      body: 'PackageDocument',
      answers: { 200: 'PackageChanged', 202: 'WaitingRelease' },
      errors: [405, 409, 422],
    },
    DELETE: { ...unpublishesPackage, summary: 'Unpublish a package' },
  },
  {
    pattern: '/*name/-rev/:revision',
    GET: { ...getsPackument, summary: 'Get a package at a revision' },
    PUT: {
      handle: putPackument,
      summary: 'Unpublish versions of a package',
      description:
        'The document without the versions that are to go, or with new maintainers. A revision that is not the current one is refused.',
      access: 'packages.unpublish',
      body: 'PackageDocument',
      answers: { 200: 'RevisedPackage' },
      errors: [405, 409, 422],
    },
    DELETE: { ...unpublishesPackage, summary: 'Unpublish a package at a revision' },
  },
  {
    pattern: '/*name/:selector',
    GET: {
      handle: orForward(getManifest, forwardManifest),
      summary: 'Get a version',
      description: 'By version or dist-tag.',
      access: 'packages.read',
      answers: { 200: 'Manifest', 304: 'nothing' },
      errors: [424],
    },
  },
  { pattern: '/*name/-/:file', ...tarballCalls('') },
  { pattern: '/*name/-/:file/-rev/:revision', ...tarballCalls(' at a revision') },
  // GitLab's file names carry the scope, plain or encoded; ours do not.
  { pattern: '/*name/-/:folder/:file', ...tarballCalls(' by its name in GitLab', withFolder) },
  {
    pattern: '/*name/-/:folder/:file/-rev/:revision',
    ...tarballCalls(' by its name in GitLab at a revision', withFolder),
  },
];

/** Every call of the npm API below its prefixes, by subject; of patterns that fit the same path the more particular one first. */
export const npmSubjects: Readonly<Record<string, readonly NpmRoute[]>> = {
  'npm: services': [
    {
      pattern: '',
      GET: {
        handle: () => ok({ db_name: 'gatehouse' }),
        summary: 'Show the registry',
        access: 'anyone',
        answers: { 200: 'RegistryInfo' },
      },
    },
    ...serviceRoutes,
  ],
  'npm: profile and tokens': accountRoutes,
  'npm: search': searchRoutes,
  'npm: staged versions': stageRoutes,
  'npm: approvals': releaseRoutes,
  'npm: stars': starRoutes,
  'npm: login': loginRoutes,
  'npm: organisations': orgRoutes,
  'npm: access': accessRoutes,
  'npm: packages': packageRoutes,
};

export const npmRoutes: readonly NpmRoute[] = Object.values(npmSubjects).flat();

function withFolder(handler: NpmHandler): NpmHandler {
  return (call, { folder = '', file = '', ...rest }) => handler(call, { ...rest, file: `${folder}/${file}` });
}
