import type { CallReply } from '../../../server/contract/bridge.ts';
import { pathUsesOf, type PathUse } from '../../../server/contract/local-path.ts';

/** The paths that the person chose in dialogs, by window: the only ones that its page may name to the server. */
export class GrantedPaths<Window extends WeakKey> {
  readonly #granted = new WeakMap<Window, Set<string>>();

  /** Notes the answer of a dialog, and returns it. */
  grant(window: Window, use: PathUse, path: string | null): string | null {
    const paths = this.#granted.get(window) ?? new Set();
    this.#granted.set(window, paths);
    if (path !== null) paths.add(keyOf(use, path));
    return path;
  }

  /** Whether a dialog in this window gave the path for this use. */
  has(window: Window, use: PathUse, path: string): boolean {
    return this.#granted.get(window)?.has(keyOf(use, path)) === true;
  }

  /** The refusal of a call that names a path which was not chosen in this window for this use; undefined if there is none. */
  async refusalOf(window: Window, method: string, params: unknown): Promise<CallReply<never> | undefined> {
    if (typeof params !== 'object' || params === null) return undefined;
    // What the first screen reads has no text in it: the schemas of all methods would hold up the start of its process by some 15 ms.
    if (!Object.values(params).some((value) => typeof value === 'string')) return undefined;
    const { methods } = await import('../../../server/contract/methods.ts');
    if (!Object.hasOwn(methods, method)) return undefined;
    for (const [name, use] of pathUsesOf(methods[method as keyof typeof methods].input)) {
      const path: unknown = params[name as keyof typeof params];
      if (typeof path !== 'string' || this.has(window, use, path)) continue;
      const message = 'The window may only use files and folders that were chosen in a dialog. Choose this one again.';
      return { ok: false, error: { code: 'app_path_not_chosen', message, details: {} } };
    }
    return undefined;
  }
}

function keyOf(use: PathUse, path: string): string {
  return `${use} ${path}`;
}
