import type { Actor, Change, UnitOfWork } from '../accounts/change.ts';
import { GatehouseError } from '../contract/errors.ts';
import { shorten } from '../lib/printable.ts';
import type { PackageRow, PackageStore } from './package-store.ts';

/** What each change of a published package comes with: the package that must be there, the audit row and the event. */
export class PackageChanges {
  readonly #store: PackageStore;
  readonly #unitOfWork: UnitOfWork;

  constructor(store: PackageStore, unitOfWork: UnitOfWork) {
    this.#store = store;
    this.#unitOfWork = unitOfWork;
  }

  /**
   * Changes a package in a unit of work of its own.
   * @param work returns false if it left the package as it was
   * @throws GatehouseError `package_not_found`
   */
  change(packageId: number, work: (row: PackageRow, change: Change) => boolean): Promise<void> {
    return this.#unitOfWork.write((change) => this.changeWithin(change, packageId, work));
  }

  /** As `change`, inside a unit of work that changes more. */
  changeWithin(change: Change, packageId: number, work: (row: PackageRow, change: Change) => boolean): void {
    const row = this.require(packageId);
    // Once for all that `work` did, as it derives the summary of the package again.
    if (work(row, change)) this.#store.touchPackage(row.id, change.now);
  }

  /** @throws GatehouseError `package_not_found` */
  require(packageId: number): PackageRow {
    const row = this.#store.getPackage(packageId);
    if (!row) throw new GatehouseError('package_not_found');
    return row;
  }

  /** Records a change in the audit trail and announces it. */
  note(
    row: PackageRow,
    change: Change,
    actor: Actor,
    action: string,
    kind: 'tags' | 'deprecation' | 'unpublished' | 'maintainers',
    what: { before: unknown; after: unknown; version?: string },
  ): void {
    change.record({
      actor,
      action,
      target: { type: 'package', id: row.id, name: row.name },
      projectId: row.projectId,
      before: what.before,
      after: what.after,
    });
    change.emit('packages.changed', {
      projectId: row.projectId,
      packageId: row.id,
      name: row.name,
      change: kind,
      ...(what.version === undefined ? {} : { version: what.version }),
    });
  }
}

/** The error for a version that a package does not have. */
export function noSuchVersion(name: string, version: string): GatehouseError {
  return new GatehouseError(
    'package_not_found',
    `Package not found. ${name} has no version ${shorten(version)} here.`,
    {
      gitlabMessage: 'Package not found',
    },
  );
}
