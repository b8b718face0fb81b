import { ok } from '../respond.ts';
import { accountRoutes } from './handlers/account-handlers.ts';
import { accessRoutes } from './handlers/access-handlers.ts';
import { loginRoutes } from './handlers/login-handlers.ts';
import { orgRoutes } from './handlers/org-handlers.ts';
import { putPackument } from './handlers/publish-handlers.ts';
import { getDistTags, getManifest, getPackument, getTarball } from './handlers/read-handlers.ts';
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

const packument = { GET: orForward(getPackument, forwardPackument), PUT: putPackument, DELETE: deletePackument };
const tarball = { GET: orForward(getTarball, forwardTarball), DELETE: deleteTarball };
/** GitLab's file names carry the scope, plain or encoded; ours do not (api/npm.md, part one). */
const scopedTarball = { GET: withFolder(tarball.GET), DELETE: withFolder(tarball.DELETE) };

/** Every call of the npm API below its prefixes; of patterns that fit the same path the more particular one first. */
export const npmRoutes: readonly NpmRoute[] = [
  { pattern: '', GET: () => ok({ db_name: 'gatehouse' }) },
  ...serviceRoutes,
  ...accountRoutes,
  ...searchRoutes,
  ...stageRoutes,
  ...starRoutes,
  ...loginRoutes,
  ...orgRoutes,
  ...accessRoutes,
  { pattern: '/-/package/*name/dist-tags', GET: orForward(getDistTags, forwardDistTags) },
  { pattern: '/-/package/*name/dist-tags/:tag', PUT: putDistTag, DELETE: deleteDistTag },
  { pattern: '/*name', ...packument },
  { pattern: '/*name/-rev/:revision', ...packument },
  { pattern: '/*name/:selector', GET: orForward(getManifest, forwardManifest) },
  { pattern: '/*name/-/:file', ...tarball },
  { pattern: '/*name/-/:file/-rev/:revision', ...tarball },
  { pattern: '/*name/-/:folder/:file', ...scopedTarball },
  { pattern: '/*name/-/:folder/:file/-rev/:revision', ...scopedTarball },
];

function withFolder(handler: NpmHandler): NpmHandler {
  return (call, { folder = '', file = '', ...rest }) => handler(call, { ...rest, file: `${folder}/${file}` });
}
