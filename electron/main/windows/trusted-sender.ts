/** The origin of the app's own page. */
export const appScheme = 'app';
export const appHost = 'gatehouse';
export const appPage = `${appScheme}://${appHost}/`;

/** Whether `url` is the app's own page. */
export function isAppUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed?.protocol === `${appScheme}:` && parsed.host === appHost;
}

/** The origin of an IPC message. */
export interface Sender {
  /** The URL of the sending frame; null when the frame is gone. */
  readonly frameUrl: string | null;
  readonly isMainFrame: boolean;
  /** Whether the sending page belongs to a window that the app opened. */
  readonly isOwnWindow: boolean;
}

/** Whether the sender is the main frame of one of the app's windows, showing the app's own page. */
export function isTrustedSender(sender: Sender): boolean {
  return sender.isOwnWindow && sender.isMainFrame && sender.frameUrl !== null && isAppUrl(sender.frameUrl);
}
