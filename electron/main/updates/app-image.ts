import { createHash } from 'node:crypto';
import { access, constants, copyFile, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * The AppImage that this copy of the app was started from, if another can be put in its place; else null. The AppImage's own runtime tells the
 * path in APPIMAGE. A folder that was unpacked, a package of the system and a checkout belong to whoever put them there.
 */
export async function replaceableAppImage(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
): Promise<string | null> {
  const appImage = environment['APPIMAGE'];
  if (platform !== 'linux' || appImage === undefined || !path.isAbsolute(appImage)) return null;
  try {
    if (!(await stat(appImage)).isFile()) return null;
    // What is replaced is an entry of the folder.
    await access(path.dirname(appImage), constants.W_OK);
    return appImage;
  } catch {
    return null;
  }
}

/**
 * Puts `file` in the place of an AppImage, as a whole or not at all, and checks once more that it is what was downloaded (`sha512` in base64):
 * hours may lie between. Throws an Error and leaves the old one.
 */
export async function replaceAppImage(appImage: string, file: string, sha512: string): Promise<void> {
  const fresh = path.join(path.dirname(appImage), `.${path.basename(appImage)}.new`);
  try {
    await copyFile(file, fresh);
    // The copy is checked, not what it was copied from.
    const digest = createHash('sha512')
      .update(await readFile(fresh))
      .digest('base64');
    if (digest !== sha512) throw new Error(`${file} was changed after it had been downloaded. Download it again.`);
    const handle = await open(fresh, 'r+');
    await handle.chmod(0o755);
    await handle.sync();
    await handle.close();
    await rename(fresh, appImage);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}
