import path from 'node:path';
import { appEnvironment, projectFolder } from '../../e2e/electron-app.ts';
import { fillFolder } from '../scale/filled-folder.ts';
import { launch, type Launched } from './launch.ts';

/** A window on a registry with this many packages, called `scale-0` and on. */
export async function openManyPackages(folder: string, packages: number): Promise<Launched> {
  const base = path.join(folder, 'many');
  const dataDir = path.join(base, 'data');
  await fillFolder(dataDir, [{ packages, versions: 1, namePrefix: 'scale', padding: 0 }]);
  const launched = await launch(projectFolder, base, appEnvironment({ GATEHOUSE_DATA_DIR: dataDir }));
  await launched.page
    .getByRole('row', { name: /scale-0/ })
    .first()
    .waitFor({ timeout: 60_000 });
  return launched;
}
