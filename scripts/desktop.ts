import { buildApp, buildIsStale } from './build-app.ts';
import { findElectron } from './electron-binary.ts';
import { electronEnvironment } from './electron-launch.ts';
import type { Desktop } from './suite.ts';
import { ensureSystemLibraries } from './system-libraries.ts';

/** Builds the app, finds or fetches an Electron, and decides how its windows get a display. */
export async function prepareDesktop(): Promise<Desktop> {
  await ensureSystemLibraries('tests', console.log);
  if (await buildIsStale()) await buildApp();
  const electron = await findElectron(console.log);
  const env = electronEnvironment(electron, [], process.env);
  env['ELECTRON_OVERRIDE_DIST_PATH'] = electron.folder;
  const needsDisplay = process.platform === 'linux' && (process.env['DISPLAY'] ?? '') === '';
  const wrapper = needsDisplay ? ['xvfb-run', '-a', '-s', '-screen 0 1680x1050x24'] : [];
  return { wrapper, env };
}
