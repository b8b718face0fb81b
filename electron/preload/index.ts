import { contextBridge, ipcRenderer } from 'electron';
import type { GatehouseBridge, Unsubscribe } from '../../server/contract/bridge.ts';
import {
  dateLocaleArgument,
  type AnnouncementChannel,
  type Announcements,
  type RequestChannel,
  type Requests,
} from '../channels.ts';

/** A named function of the bridge. The page never names a channel. */
function request<C extends RequestChannel>(channel: C): Requests[C] {
  return ((...args: unknown[]) => ipcRenderer.invoke(channel, ...args)) as Requests[C];
}

/** A listener of the bridge. It gets the value without the event object, which would hold the sender. */
function listen<C extends AnnouncementChannel>(channel: C) {
  return (listener: (value: Announcements[C]) => void): Unsubscribe => {
    const relay = (_event: unknown, value: Announcements[C]): void => listener(value);
    ipcRenderer.on(channel, relay);
    return () => {
      ipcRenderer.removeListener(channel, relay);
    };
  };
}

const bridge: GatehouseBridge = Object.freeze({
  dateLocale: process.argv.find((each) => each.startsWith(dateLocaleArgument))?.slice(dateLocaleArgument.length),
  // The server checks the call against the method table, which also says what comes back.
  call: request('call') as GatehouseBridge['call'],
  onEvent: listen('event'),
  app: Object.freeze({
    state: request('app:state'),
    onState: listen('app:state-changed'),
    retry: request('app:retry'),
    restart: request('app:restart'),
    info: request('app:info'),
    settings: request('app:settings'),
    onSettings: listen('app:settings-changed'),
    saveSettings: request('app:saveSettings'),
    openExternal: request('app:openExternal'),
    showDataFolder: request('app:showDataFolder'),
    moveDataFolder: request('app:moveDataFolder'),
    openDataFolder: request('app:openDataFolder'),
    stopMove: request('app:stopMove'),
    removeFormerDataFolder: request('app:removeFormerDataFolder'),
    log: request('app:log'),
    copyText: request('app:copyText'),
    chooseFolder: request('app:chooseFolder'),
    chooseFile: request('app:chooseFile'),
    chooseNewFile: request('app:chooseNewFile'),
    showNewFile: request('app:showNewFile'),
    saveText: request('app:saveText'),
    recoverySnapshots: request('app:recoverySnapshots'),
    recoverSnapshot: request('app:recoverSnapshot'),
    recoverBackup: request('app:recoverBackup'),
    repairData: request('app:repairData'),
    stopRecovery: request('app:stopRecovery'),
    downloadTarball: request('app:downloadTarball'),
    showTarball: request('app:showTarball'),
    showBackup: request('app:showBackup'),
    showBackupFolder: request('app:showBackupFolder'),
    onCommand: listen('app:command'),
  } satisfies GatehouseBridge['app']),
  updates: Object.freeze({
    state: request('updates:state'),
    onState: listen('updates:state-changed'),
    check: request('updates:check'),
    download: request('updates:download'),
    cancel: request('updates:cancel'),
  } satisfies GatehouseBridge['updates']),
} satisfies GatehouseBridge);

contextBridge.exposeInMainWorld('gatehouse', bridge);
