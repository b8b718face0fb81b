import type { Actor, UnitOfWork } from '../../accounts/change.ts';
import { dayLength } from '../../lib/calendar.ts';

/** Longest time by which publish times can be shown older: ten years, in milliseconds. */
export const longestPublishAge = 10 * 366 * dayLength;

/** Stores the setting of each project. */
export interface PublishAgeStore {
  /** Milliseconds by project, of those that have any. */
  all(): ReadonlyMap<number, number>;
  /** Stores it and marks every packument of the project as changed. For a unit of work. */
  set(projectId: number, milliseconds: number): void;
}

/**
 * By how much a project shows its publish times older than they are, so that clients that hold young versions back (Yarn 4
 * does) install what was just published. Zero by default; the real times stay stored.
 */
export class PublishAges {
  readonly #store: PublishAgeStore;
  readonly #unitOfWork: UnitOfWork;
  #ages: ReadonlyMap<number, number>;

  constructor(store: PublishAgeStore, unitOfWork: UnitOfWork) {
    this.#store = store;
    this.#unitOfWork = unitOfWork;
    this.#ages = store.all();
  }

  /** Milliseconds. */
  of(projectId: number): number {
    return this.#ages.get(projectId) ?? 0;
  }

  /** Reads everything again, after the data folder went back to an earlier state. */
  reload(): void {
    this.#ages = this.#store.all();
  }

  async set(
    actor: Actor,
    project: { readonly id: number; readonly fullPath: string },
    milliseconds: number,
  ): Promise<void> {
    const wanted = Math.min(Math.max(0, Math.round(milliseconds)), longestPublishAge);
    try {
      await this.#unitOfWork.write((change) => {
        const before = this.of(project.id);
        if (before === wanted) return;
        this.#store.set(project.id, wanted);
        // Within the transaction, so that a new revision is never read with the old age.
        this.reload();
        change.record({
          actor,
          action: 'project.publish_age_changed',
          target: { type: 'project', id: project.id, name: project.fullPath },
          projectId: project.id,
          before: { publish_age: before },
          after: { publish_age: wanted },
        });
        change.emit('publish_age.changed', { projectId: project.id });
      });
    } catch (error) {
      this.reload();
      throw error;
    }
  }
}
