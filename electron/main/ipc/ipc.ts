import { BrowserWindow, ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron';
import type { z } from 'zod';
import type { CallReply } from '../../../server/contract/bridge.ts';
import type { AnnouncementChannel, Announcements, RequestChannel, Requests } from '../../channels.ts';
import { isAppUrl, isTrustedSender } from '../windows/trusted-sender.ts';

/**
 * The only way to register a request of the page. Senders other than the main frame of the app's own page, and arguments that do not fit
 * `schema`, are refused before `answer` runs, whose last argument is the page that asks.
 */
export function handle<C extends RequestChannel>(
  channel: C,
  schema: z.ZodType<Parameters<Requests[C]>>,
  answer: (
    ...args: [...Parameters<Requests[C]>, page: WebContents]
  ) => ReturnType<Requests[C]> | Awaited<ReturnType<Requests[C]>>,
): void {
  ipcMain.handle(channel, async (event, ...raw: unknown[]) => {
    const sender = senderOf(event);
    if (!isTrustedSender(sender)) {
      process.stderr.write(`Refused ${channel} from ${JSON.stringify(sender)}.\n`);
      throw new Error(`${channel} is not for this page.`);
    }
    const args = schema.safeParse(raw);
    if (!args.success) throw new Error(`The arguments of ${channel} are not valid.`);
    return answer(...args.data, event.sender);
  });
}

/** Sends a value to every window that shows the app's page. */
export function announce<C extends AnnouncementChannel>(channel: C, value: Announcements[C]): void {
  for (const { webContents } of BrowserWindow.getAllWindows()) {
    if (!webContents.isDestroyed() && isAppUrl(webContents.getURL())) webContents.send(channel, value);
  }
}

/** The reply that something could not be done; `message` is a sentence for the person. */
export function failure(message: string): CallReply<never> {
  return { ok: false, error: { code: 'internal', message, details: {} } };
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function senderOf(event: IpcMainInvokeEvent): Parameters<typeof isTrustedSender>[0] {
  const frame = event.senderFrame;
  return {
    frameUrl: frame?.url ?? null,
    // Not by identity with `mainFrame`: while a page is being replaced, that may still be the former one.
    isMainFrame: frame !== null && frame.parent === null,
    isOwnWindow: BrowserWindow.fromWebContents(event.sender) !== null,
  };
}
