import { BrowserWindow, ipcMain, type IpcMainInvokeEvent } from 'electron';
import type { AnnouncementChannel, Announcements, RequestChannel, Requests } from '../channels.ts';
import { requestSchemas } from './request-schemas.ts';
import { isAppUrl, isTrustedSender } from './trusted-sender.ts';

/**
 * The only way to register a request of the page: senders other than our own page's main frame and payloads other than the schema's are
 * refused before `answer` runs.
 */
export function handle<C extends RequestChannel>(
  channel: C,
  answer: (...args: Requests[C]['args']) => Requests[C]['result'] | Promise<Requests[C]['result']>,
): void {
  const schema = requestSchemas[channel];
  ipcMain.handle(channel, async (event, ...raw: unknown[]) => {
    const sender = senderOf(event);
    if (!isTrustedSender(sender)) {
      process.stderr.write(`Refused ${channel} from ${JSON.stringify(sender)}.\n`);
      throw new Error(`${channel} is not for this page.`);
    }
    const args = schema.safeParse(raw);
    if (!args.success) throw new Error(`${channel} was called with arguments that it does not take.`);
    return answer(...args.data);
  });
}

/** Tells every window that shows our page. */
export function announce<C extends AnnouncementChannel>(channel: C, value: Announcements[C]): void {
  for (const window of BrowserWindow.getAllWindows()) {
    const { webContents } = window;
    if (!webContents.isDestroyed() && isAppUrl(webContents.getURL())) webContents.send(channel, value);
  }
}

function senderOf(event: IpcMainInvokeEvent): Parameters<typeof isTrustedSender>[0] {
  const frame = event.senderFrame;
  return {
    frameUrl: frame?.url ?? null,
    // Not by identity with `mainFrame`: while a page is being replaced, that may still be the one before.
    isMainFrame: frame !== null && frame.parent === null,
    isOwnWindow: BrowserWindow.fromWebContents(event.sender) !== null,
  };
}
