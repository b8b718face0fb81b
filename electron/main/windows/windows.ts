import path from 'node:path';
import { app, BrowserWindow, dialog, nativeTheme, screen } from 'electron';
import { dateLocaleArgument } from '../../channels.ts';
import type { JsonFile } from '../settings/json-file.ts';
import { dateLocale } from './date-locale.ts';
import { appPage, isAppUrl } from './trusted-sender.ts';
import { minimumSize, openingBounds, type WindowState } from './window-state.ts';

/** The page's background in each theme (--gh-canvas in renderer/ui/theme/tokens.css), shown before the page is drawn. */
const backgrounds = { light: '#fbfbf9', dark: '#151918' } as const;

/** Opens windows and remembers the bounds of the last one. */
export class Windows {
  readonly #stateFile: JsonFile<WindowState>;
  readonly #preload: string;
  readonly #icon: string;
  readonly #onLastClose: (event: Electron.Event) => void;

  /** @param onLastClose called before the last window closes; may prevent that */
  constructor(stateFile: JsonFile<WindowState>, outFolder: string, onLastClose: (event: Electron.Event) => void) {
    this.#stateFile = stateFile;
    this.#onLastClose = onLastClose;
    this.#preload = path.join(outFolder, 'preload/index.cjs');
    this.#icon = path.join(outFolder, 'assets/icon.png');
    nativeTheme.on('updated', () => {
      for (const window of BrowserWindow.getAllWindows()) window.setBackgroundColor(background());
    });
  }

  /** Opens another window at an address of the page; it is shown once the page is drawn. */
  async open(address: string = appPage): Promise<void> {
    const state = this.#stateFile.read();
    const areas = screen.getAllDisplays().map((display) => display.workArea);
    const first = BrowserWindow.getAllWindows().length === 0;
    const dates = dateLocale(process.platform, process.env, app.getSystemLocale());
    const { width, height, ...place } = openingBounds(state, areas);
    const window = new BrowserWindow({
      width,
      height,
      // A second window exactly on top of the first would go unnoticed.
      ...(first ? place : {}),
      minWidth: minimumSize.width,
      minHeight: minimumSize.height,
      show: false,
      title: 'Gatehouse',
      icon: this.#icon,
      backgroundColor: background(),
      webPreferences: {
        preload: this.#preload,
        additionalArguments: dates === undefined ? [] : [dateLocaleArgument + dates],
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webviewTag: false,
        webSecurity: true,
        allowRunningInsecureContent: false,
        spellcheck: false,
        safeDialogs: true,
        // Chromium would cache compiled scripts only from the third start on.
        v8CacheOptions: 'bypassHeatCheck',
      },
    });
    if (first && state.maximized) window.maximize();
    window.once('ready-to-show', () => window.show());
    window.on('close', (event) => {
      this.#remember(window);
      if (BrowserWindow.getAllWindows().length === 1) this.#onLastClose(event);
    });
    window.webContents.on('will-prevent-unload', (event) => {
      // Prevented, the event lets the page go.
      if (canLoseUnsaved(window)) event.preventDefault();
    });
    // No event prevents a navigation to about:blank, so it is undone.
    window.webContents.on('did-navigate', (_event, url) => {
      if (!isAppUrl(url)) void window.loadURL(appPage);
    });
    await window.loadURL(address);
  }

  /** Brings a window to the front, or opens one; at an address of the page, or as it is. */
  async show(address?: string): Promise<void> {
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
    if (window === undefined) return this.open(address);
    // Only the hash differs, so the page is not loaded again.
    if (address !== undefined) void window.loadURL(address);
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  #remember(window: BrowserWindow): void {
    try {
      this.#stateFile.write({ bounds: window.getNormalBounds(), maximized: window.isMaximized() });
    } catch {
      // Not worth a message.
    }
  }
}

let quitsUnasked = false;

/** Quits whatever is on screen: the system ends the session, and waits for no answer. */
export function quitUnasked(): void {
  quitsUnasked = true;
  app.quit();
}

/** Asks before a page goes that holds itself back: with a new token (token-reveal.tsx) or changed rules (unsaved-edits.ts). */
function canLoseUnsaved(window: BrowserWindow): boolean {
  if (quitsUnasked) return true;
  const answer = dialog.showMessageBoxSync(window, {
    type: 'warning',
    message: 'Leave without saving?',
    detail: 'Changed rules, or a new token that was not copied, will be lost.',
    buttons: ['Stay', 'Leave'],
    defaultId: 0,
    cancelId: 0,
  });
  return answer === 1;
}

function background(): string {
  return nativeTheme.shouldUseDarkColors ? backgrounds.dark : backgrounds.light;
}
