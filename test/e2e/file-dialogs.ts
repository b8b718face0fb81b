import type { ElectronApplication } from 'playwright';

/** What a dialog of the system was asked to show. */
export interface AskedDialog {
  readonly kind: 'open' | 'save';
  readonly title: string;
  /** Of a dialog that saves, the name of the file. */
  readonly suggested: string;
  /** Where a dialog that saves begins. */
  readonly folder: string;
  readonly properties: readonly string[];
  readonly hasFilters: boolean;
}

interface Kept {
  askedDialogs?: AskedDialog[];
}

/**
 * Answers the next dialogs of the system for folders and files with `chosen`, one after the other, as if a person had chosen it, or had thought better of it (null). The
 * dialogs themselves belong to the system, and no test can reach into them.
 */
export async function chooseNext(app: ElectronApplication, ...chosen: readonly (string | null)[]): Promise<void> {
  await app.evaluate(({ dialog }, answers) => {
    const kept = globalThis as Kept;
    const left = [...answers];
    // The last one holds for all that follow.
    const next = (): string | null => (left.length > 1 ? left.shift() : left[0]) ?? null;
    const note = (kind: 'open' | 'save', args: readonly unknown[]): void => {
      // With an owner, the options are the second argument.
      const { title, defaultPath, properties, filters } = args.at(-1) as {
        title?: string;
        defaultPath?: string;
        properties?: string[];
        filters?: object[];
      };
      const place = defaultPath ?? '';
      const name = /[^/\\]*$/.exec(place)?.[0] ?? '';
      kept.askedDialogs = [
        ...(kept.askedDialogs ?? []),
        {
          kind,
          title: title ?? '',
          suggested: kind === 'save' ? name : place,
          folder: kind === 'save' ? place.slice(0, -name.length - 1) : '',
          properties: properties ?? [],
          hasFilters: filters !== undefined,
        },
      ];
    };
    dialog.showOpenDialog = (...args: unknown[]) => {
      note('open', args);
      const answer = next();
      return Promise.resolve({ canceled: answer === null, filePaths: answer === null ? [] : [answer] });
    };
    dialog.showSaveDialog = (...args: unknown[]) => {
      note('save', args);
      const answer = next();
      return Promise.resolve({ canceled: answer === null, filePath: answer ?? '' });
    };
  }, chosen);
}

/** The dialogs that were asked for since the first `chooseNext`, the last one last. */
export function askedDialogs(app: ElectronApplication): Promise<AskedDialog[]> {
  return app.evaluate(() => (globalThis as Kept).askedDialogs ?? []);
}
