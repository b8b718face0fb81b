import type {
  AppInfo,
  AppSettings,
  AppState,
  BridgeEvent,
  CallReply,
  FileRequest,
  MenuCommand,
} from '../server/contract/bridge.ts';
import type { UpdateState } from '../server/contract/updates.ts';

/**
 * The IPC between the page and the main process: names and types, nothing that runs, so that the preload script stays tiny.
 * `electron/main/request-schemas.ts` ties a schema to every request.
 */
export interface Requests {
  'gatehouse:call': { args: [method: string, params: unknown]; result: CallReply<unknown> };
  'gatehouse:app-state': { args: []; result: AppState };
  'gatehouse:app-retry': { args: []; result: void };
  'gatehouse:app-info': { args: []; result: AppInfo };
  'gatehouse:settings': { args: []; result: AppSettings };
  'gatehouse:save-settings': { args: [change: Partial<AppSettings>]; result: CallReply<AppSettings> };
  'gatehouse:open-external': { args: [url: string]; result: boolean };
  'gatehouse:show-data-folder': { args: []; result: void };
  'gatehouse:move-data-folder': { args: []; result: CallReply<boolean> };
  'gatehouse:open-data-folder': { args: []; result: CallReply<boolean> };
  'gatehouse:stop-move': { args: []; result: void };
  'gatehouse:remove-former-data-folder': { args: []; result: CallReply<boolean> };
  'gatehouse:log': { args: []; result: readonly string[] };
  'gatehouse:copy-text': { args: [text: string]; result: void };
  'gatehouse:choose-folder': { args: [request: FileRequest]; result: string | null };
  'gatehouse:choose-file': { args: [request: FileRequest]; result: string | null };
  'gatehouse:choose-new-file': { args: [request: FileRequest]; result: string | null };
  'gatehouse:save-text': { args: [request: FileRequest, text: string]; result: CallReply<string | null> };
  'gatehouse:updates': { args: []; result: UpdateState };
  'gatehouse:check-updates': { args: []; result: void };
  'gatehouse:download-update': { args: []; result: void };
  'gatehouse:cancel-update': { args: []; result: void };
}
export type RequestChannel = keyof Requests;

/** What the main process tells every window, unasked. */
export interface Announcements {
  'gatehouse:event': BridgeEvent;
  'gatehouse:app-state-changed': AppState;
  'gatehouse:settings-changed': AppSettings;
  'gatehouse:command': MenuCommand;
  'gatehouse:updates-changed': UpdateState;
}
export type AnnouncementChannel = keyof Announcements;
