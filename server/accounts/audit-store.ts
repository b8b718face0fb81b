import type { ChangeKind } from '../contract/constants.ts';
import type { AuditEntry } from './change.ts';

/** A row of the audit trail as it reads back; `before` and `after` are the JSON values that were recorded. */
export interface AuditRecord {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly actorId: number | null;
  readonly actorName: string;
  readonly origin: AuditEntry['actor']['origin'];
  readonly address: string | null;
  /** The name and the hint of the token that the change was made with; null where there was none, or none was recorded. */
  readonly token: string | null;
  readonly action: string;
  readonly targetType: string;
  readonly targetId: number | null;
  readonly targetName: string;
  readonly projectId: number | null;
  readonly groupId: number | null;
  readonly before: unknown;
  readonly after: unknown;
}

export interface AuditFilter {
  readonly projectId?: number;
  readonly groupId?: number;
  /** Milliseconds since 1970, both inclusive. */
  readonly from?: number;
  readonly to?: number;
  /** Part of an action (`token.`), of a target's or of an actor's name, or of the token that made the change or was changed. */
  readonly search?: string;
  readonly actorId?: number;
  readonly kind?: ChangeKind;
  /** Only rows older than this id, for paging without counting. */
  readonly beforeId?: number;
}

export interface AuditStore {
  append(at: number, entry: AuditEntry): void;
  find(id: number): AuditRecord | undefined;
  count(filter: AuditFilter): number;
  /** Newest first. */
  list(filter: AuditFilter, page: { readonly limit: number; readonly offset: number }): AuditRecord[];
}
