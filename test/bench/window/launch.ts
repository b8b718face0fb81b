import { once } from 'node:events';
import path from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import { drawsInSoftware } from '../../../electron/main/desktop/graphics.ts';

export interface Launched {
  /** The main process. */
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly close: () => Promise<void>;
}

/** Starts an Electron app with user data below `base`; resolves with its first window. */
export async function launch(app: string, base: string, env: Record<string, string>): Promise<Launched> {
  const running = await _electron.launch({
    // Gatehouse decides that for itself; the empty app it is compared with must be spared the same wait.
    args: [...(drawsInSoftware() ? ['--disable-gpu'] : []), `--user-data-dir=${path.join(base, 'user')}`, app],
    env,
    timeout: 60_000,
    colorScheme: null,
  });
  const main = running.process();
  return {
    app: running,
    page: await running.firstWindow(),
    close: async () => {
      const gone = once(main, 'exit');
      await running.evaluate(({ app: electronApp }) => electronApp.quit()).catch(() => undefined);
      await gone;
    },
  };
}
