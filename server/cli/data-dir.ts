import { homedir } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';

/** The default data folder: where the platform keeps application data. */
export function defaultDataDir(): string {
  const home = homedir();
  switch (process.platform) {
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'Gatehouse', 'registry');
    case 'win32':
      return join(process.env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Gatehouse', 'registry');
    default:
      return join(process.env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'Gatehouse', 'registry');
  }
}

/** `--data-dir`, the same on every command. */
export function dataDirOption(): Option {
  const option = new Option('--data-dir <folder>', 'folder of the registry').env('GATEHOUSE_DATA_DIR');
  try {
    return option.default(defaultDataDir());
  } catch {
    // A container may run as a user id without a name and without a home.
    return option.makeOptionMandatory();
  }
}
