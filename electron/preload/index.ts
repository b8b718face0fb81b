import { contextBridge, ipcRenderer } from 'electron';
import type { GatehouseBridge, Unsubscribe } from '../../server/contract/bridge.ts';
import type { AnnouncementChannel, Announcements, RequestChannel, Requests } from '../channels.ts';

/**
 * The one thing that the page gets from outside: named functions that carry data. No channel name comes from the page, and no event
 * object (which would hold the sender) goes to it.
 */
function request<C extends RequestChannel>(channel: C, ...args: Requests[C]['args']): Promise<Requests[C]['result']> {
  return ipcRenderer.invoke(channel, ...args) as Promise<Requests[C]['result']>;
}

function listen<C extends AnnouncementChannel>(channel: C, listener: (value: Announcements[C]) => void): Unsubscribe {
  const relay = (_event: unknown, value: Announcements[C]): void => listener(value);
  ipcRenderer.on(channel, relay);
  return () => {
    ipcRenderer.removeListener(channel, relay);
  };
}

const bridge: GatehouseBridge = Object.freeze({
  // The server checks the call against the method table; what comes back has the type that the table promises.
  call: ((method, params) => request('gatehouse:call', method, params)) as GatehouseBridge['call'],
  onEvent: (listener) => listen('gatehouse:event', listener),
  app: Object.freeze({
    state: () => request('gatehouse:app-state'),
    onState: (listener) => listen('gatehouse:app-state-changed', listener),
    retry: () => request('gatehouse:app-retry'),
    info: () => request('gatehouse:app-info'),
    settings: () => request('gatehouse:settings'),
    onSettings: (listener) => listen('gatehouse:settings-changed', listener),
    saveSettings: (change) => request('gatehouse:save-settings', change),
    openExternal: (url) => request('gatehouse:open-external', url),
    showDataFolder: () => request('gatehouse:show-data-folder'),
    moveDataFolder: () => request('gatehouse:move-data-folder'),
    openDataFolder: () => request('gatehouse:open-data-folder'),
    stopMove: () => request('gatehouse:stop-move'),
    removeFormerDataFolder: () => request('gatehouse:remove-former-data-folder'),
    log: () => request('gatehouse:log'),
    copyText: (text) => request('gatehouse:copy-text', text),
    chooseFolder: (wanted) => request('gatehouse:choose-folder', wanted),
    chooseFile: (wanted) => request('gatehouse:choose-file', wanted),
    chooseNewFile: (wanted) => request('gatehouse:choose-new-file', wanted),
    saveText: (wanted, text) => request('gatehouse:save-text', wanted, text),
    onCommand: (listener) => listen('gatehouse:command', listener),
  } satisfies GatehouseBridge['app']),
  updates: Object.freeze({
    state: () => request('gatehouse:updates'),
    onState: (listener) => listen('gatehouse:updates-changed', listener),
    check: () => request('gatehouse:check-updates'),
    download: () => request('gatehouse:download-update'),
    cancel: () => request('gatehouse:cancel-update'),
  } satisfies GatehouseBridge['updates']),
} satisfies GatehouseBridge);

contextBridge.exposeInMainWorld('gatehouse', bridge);
