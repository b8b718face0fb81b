import type { OnRefusal } from '../contract/guards.ts';
import type { TagGuard } from './records.ts';

/** What guards need of their storage. Every call is synchronous; changes are made inside `UnitOfWork.write` only. */
export interface GuardStore {
  /** In the byte order of their patterns. */
  guards(projectId: number): TagGuard[];
  guard(projectId: number, pattern: string): TagGuard | undefined;
  insertGuard(guard: Omit<TagGuard, 'id'>): number;
  updateGuard(guard: TagGuard): void;
  deleteGuard(id: number): void;
  /** `refuse` where it was never set. */
  onRefusal(projectId: number): OnRefusal;
  setOnRefusal(projectId: number, onRefusal: OnRefusal): void;
}
