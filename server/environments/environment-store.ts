import type { ApprovalRule, DeployLevel, EnvironmentRecord, Protection, ProtectionOwner } from './records.ts';

/** The user or group whose rules are looked up; `projectId` limits them to one project. */
export interface RuleSubject {
  readonly kind: 'user' | 'group';
  readonly id: number;
  readonly projectId?: number;
}

/**
 * What environments need of their storage. Every call is synchronous; changes are made inside `UnitOfWork.write` only.
 */
export interface EnvironmentStore {
  /** Protections of a project or group in the byte order of their names. */
  protections(owner: ProtectionOwner): Protection[];
  countProtections(owner: ProtectionOwner): number;
  protection(owner: ProtectionOwner, name: string): Protection | undefined;
  protectionById(id: number): Protection | undefined;
  /** Protections with a deploy access level or an approval rule that names a user or a group. */
  protectionsNaming(subject: RuleSubject): Protection[];
  insertProtection(owner: ProtectionOwner, name: string, now: number): number;
  touchProtection(id: number, now: number): void;
  deleteProtection(id: number): void;

  insertDeployLevel(protectionId: number, level: Omit<DeployLevel, 'id'>): number;
  updateDeployLevel(level: DeployLevel): void;
  deleteDeployLevel(id: number): void;
  insertApprovalRule(protectionId: number, rule: Omit<ApprovalRule, 'id'>): number;
  updateApprovalRule(rule: ApprovalRule): void;
  deleteApprovalRule(id: number): void;

  /** Environments of a project in the byte order of their names. */
  environments(projectId: number): EnvironmentRecord[];
  countEnvironments(projectId: number): number;
  environment(projectId: number, id: number): EnvironmentRecord | undefined;
  environmentByName(projectId: number, name: string): EnvironmentRecord | undefined;
  insertEnvironment(environment: Omit<EnvironmentRecord, 'id'>): number;
  updateEnvironment(environment: EnvironmentRecord): void;
  deleteEnvironment(id: number): void;
}
