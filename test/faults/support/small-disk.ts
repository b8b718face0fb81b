import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own with a fixed size, that can be filled to the last byte without harming the machine. */
export class SmallDisk {
  readonly path: string;

  /**
   * @throws Error that says what is needed: Linux and root. There is no other way to make a disk full for real, and a test of it that
   * does not run must not look like one that passed.
   */
  constructor(megabytes: number) {
    this.path = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'));
    try {
      mount('-t', 'tmpfs', '-o', `size=${megabytes}m`, 'gatehouse-test', this.path);
    } catch (error) {
      rmSync(this.path, { recursive: true });
      throw new Error(
        `A full disk is tested on a small tmpfs, and this process may not mount one. Run this suite on Linux as root, for instance in a container with --cap-add SYS_ADMIN. (${String(error)})`,
        { cause: error },
      );
    }
  }

  /** Takes every write right away, from everybody. Nothing may be open for writing. */
  makeReadOnly(): void {
    mount('-o', 'remount,ro', this.path);
  }

  remove(): void {
    execFileSync('umount', ['--lazy', this.path], { stdio: 'pipe' });
    rmSync(this.path, { recursive: true, force: true });
  }
}

function mount(...args: string[]): void {
  execFileSync('mount', args, { stdio: 'pipe' });
}
