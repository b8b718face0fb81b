/** A dist-tag that a user asked to move and may not move: it waits for approval (a promotion). */
export interface TagRequest {
  /** A UUID, as staged versions have. */
  readonly id: string;
  readonly projectId: number;
  readonly packageId: number;
  readonly packageName: string;
  readonly tag: string;
  readonly version: string;
  /** The version that the tag was set to when the move was asked for; null where it was not set. */
  readonly fromVersion: string | null;
  /** The user who asked; the id is null once that user is deleted. */
  readonly actorId: number | null;
  readonly actorName: string;
  readonly createdAt: number;
}

/** An approval of a staged version or of a tag request. */
export interface Approval {
  readonly userId: number;
  /** Empty without one. */
  readonly comment: string;
  /** The name of the one approval rule that it counts for; null for every rule that its user matches. */
  readonly representedAs: string | null;
  readonly createdAt: number;
}

/** What an approval is about. */
export interface SubjectKey {
  readonly kind: 'version' | 'tag';
  readonly id: string;
}

/** Stores what waits for approval besides staged versions, and the approvals of both. They end with what they are about. */
export interface ReleaseStore {
  request(id: string): TagRequest | undefined;
  /** Requests of a package whose tag was moved since, or whose version is gone. The other lookups pass them over. */
  voidRequests(packageId: number): TagRequest[];
  /** The newest request for this move, whoever asked. */
  findRequest(packageId: number, tag: string, version: string): TagRequest | undefined;
  /** Newest first. */
  requests(projectIds: readonly number[], packageName?: string): TagRequest[];
  /** Requests of one user, in all projects; void ones count until they are ended. */
  countOf(actorId: number): number;
  /** Projects in which anything waits, staged versions included. */
  projects(): Set<number>;
  /** Oldest first. */
  approvals(subject: SubjectKey): Approval[];
  /** The following only inside a unit of work. */
  insertRequest(request: TagRequest): void;
  deleteRequest(id: string): void;
  /** Adds an approval; of one that its user gave before, comment and rule are changed. */
  putApproval(subject: SubjectKey, approval: Approval): void;
}
