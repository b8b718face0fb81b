import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';

/** The default data folder: where the platform keeps application data. */
export function defaultDataDir(): string {
  const home = homedir();
  // It would be a folder that depends on where the command runs.
  if (!isAbsolute(home)) throw new Error('There is no home folder.');
  switch (process.platform) {
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'Gatehouse', 'registry');
    case 'win32':
      return join(process.env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Gatehouse', 'registry');
    default:
      return join(absolute(process.env['XDG_CONFIG_HOME']) ?? join(home, '.config'), 'Gatehouse', 'registry');
  }
}

/** As the XDG specification has it, an empty or relative path counts as none. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/** `--data-dir`, the same on every command. */
export function dataDirOption(): Option {
  const option = new Option('--data-dir <folder>', 'folder of the registry')
    .env('GATEHOUSE_DATA_DIR')
    .argParser((folder) => {
      if (folder !== '') return folder;
      throw new InvalidArgumentError('It is empty; name a folder.');
    });
  try {
    return option.default(defaultDataDir());
  } catch {
    // A container may run as a user id without a name and without a home.
    return option.makeOptionMandatory();
  }
}
