import type {
  AppBridge,
  AppSettings,
  AppState,
  BridgeEvent,
  CallReply,
  MenuCommand,
  UpdateBridge,
} from '../server/contract/bridge.ts';
import type { UpdateState } from '../server/contract/updates.ts';

/** What the argument of a page's process begins with that names the locale of dates. */
export const dateLocaleArgument = '--gatehouse-date-locale=';

/** The methods of a part of the bridge as IPC channels, `app:state` and so on; listeners (`onState`) are announcements. */
type RequestsOf<Part extends string, Bridge> = {
  [M in keyof Bridge as M extends `on${Capitalize<string>}` ? never : `${Part}:${M & string}`]: Bridge[M];
};

/** The IPC requests of the page. Types only, so that the preload script stays small; `handle()` ties a schema to each. */
export type Requests = RequestsOf<'app', AppBridge> &
  RequestsOf<'updates', UpdateBridge> & { call: (method: string, params: unknown) => Promise<CallReply<unknown>> };
export type RequestChannel = keyof Requests;

/** What the main process sends to every window. */
export interface Announcements {
  event: BridgeEvent;
  'app:state-changed': AppState;
  'app:settings-changed': AppSettings;
  'app:command': MenuCommand;
  'updates:state-changed': UpdateState;
}
export type AnnouncementChannel = keyof Announcements;
