import type { MethodName } from '../../server/contract/methods.ts';

/** What the frame of the window and the list of packages read, none with parameters. */
export const firstReads = [
  'packages.list',
  'releases.list',
  'offline.get',
  'upstream.list',
  'login.pending',
  'directory.projects',
  'server.status',
] as const satisfies MethodName[];

/** Asked for here, before the rest of the page's code has run: by then the replies have come. */
export const firstState = window.gatehouse.app.state();
export const firstSettings = window.gatehouse.app.settings();
export const firstReplies = firstReads.map((method) => window.gatehouse.call(method, {}));
