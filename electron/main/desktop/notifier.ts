import { BrowserWindow, Notification } from 'electron';
import type { AppState, BridgeEvent } from '../../../server/contract/bridge.ts';
import { hideControls, printable } from '../../../server/contract/printable.ts';
import type { ServerHost } from '../host/server-host.ts';
import { inboxAddress, packageAddress, packagesAddress } from './deep-links.ts';

/** A desktop notification. */
export interface Notice {
  readonly kind: 'published' | 'waiting' | 'login' | 'failed';
  readonly title: string;
  readonly body: string;
  /** The address to show on a click; null for the window as it is. */
  readonly address: string | null;
}

/** The notification for an event; null for none. */
export function noticeOfEvent({ topic, payload }: BridgeEvent): Notice | null {
  if (topic === 'packages.changed' && payload.change === 'published') {
    const { name, version } = payload;
    const title = version === undefined ? name : `${name} ${version}`;
    return { kind: 'published', title, body: 'A version was published.', address: packageAddress(name) };
  }
  if (topic === 'releases.changed' && payload.change === 'waiting') {
    const title = `${payload.name} ${payload.version} waits for approval`;
    return { kind: 'waiting', title, body: 'Open the inbox to approve or reject it.', address: inboxAddress };
  }
  if (topic === 'login.changed' && payload.change === 'requested') {
    const body = 'Open Gatehouse to compare the code and to allow or refuse it.';
    return { kind: 'login', title: 'A client wants to log in', body, address: null };
  }
  return null;
}

/** The notification for a new state; null for none. */
export function noticeOfState(state: AppState): Notice | null {
  if (state.phase !== 'failed') return null;
  return { kind: 'failed', title: 'The registry is not running', body: state.cause, address: null };
}

/** The notification for publishes in quick succession; it leads to the list of packages. */
export function noticeOfMany(count: number): Notice {
  const body = 'Open Gatehouse to see them.';
  return { kind: 'published', title: `${count} versions were published`, body, address: packagesAddress };
}

/** Publishes within this many milliseconds share a notification: a workspace publishes its packages one after the other. */
const batchSpan = 10_000;

export interface NotifierOptions {
  readonly host: ServerHost;
  /** The setting, read for every notification. */
  readonly enabled: () => boolean;
  readonly open: (address: string | null) => void;
}

/** Shows notifications while no window has the focus. */
export class Notifier {
  readonly #options: NotifierOptions;
  // A notification that is not referred to loses its click handler.
  readonly #shown = new Map<Notice['kind'], Notification>();
  #batch = { count: 0, last: 0 };

  constructor(options: NotifierOptions) {
    this.#options = options;
    options.host.onEvent((event) => this.#show(noticeOfEvent(event)));
    options.host.onState((state) => this.#show(noticeOfState(state)));
  }

  /** Removes the notifications: after the quit a click would open nothing. */
  close(): void {
    for (const notification of this.#shown.values()) notification.close();
  }

  #show(found: Notice | null): void {
    if (found === null || !this.#options.enabled() || !Notification.isSupported()) return;
    if (isInUse(BrowserWindow.getFocusedWindow())) return;
    const notice = found.kind === 'published' ? this.#batched(found) : found;
    const notification = new Notification({ title: printable(notice.title), body: hideControls(notice.body) });
    notification.on('click', () => this.#options.open(notice.address));
    // One of each kind: the newest replaces the former.
    this.#shown.get(notice.kind)?.close();
    this.#shown.set(notice.kind, notification);
    notification.show();
  }

  #batched(notice: Notice): Notice {
    const now = Date.now();
    this.#batch = { count: now - this.#batch.last < batchSpan ? this.#batch.count + 1 : 1, last: now };
    return this.#batch.count === 1 ? notice : noticeOfMany(this.#batch.count);
  }
}

/** Some systems leave the focus with a window that is minimized or hidden. */
function isInUse(window: BrowserWindow | null): boolean {
  return window !== null && window.isVisible() && !window.isMinimized();
}
