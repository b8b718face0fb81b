import type { AuditRecord } from '../accounts/audit-store.ts';
import type { Actor } from '../accounts/change.ts';
import type { Directory } from '../accounts/directory.ts';
import { DeployAccess } from './deploy-access.ts';
import type { EnvironmentStore } from './environment-store.ts';
import type { GuardRules } from './guard-rules.ts';
import { Environments } from './environments.ts';
import { undoProtectionChange } from './protection-undo.ts';
import { Protections } from './protections.ts';
import { RuleFiles } from './rules-plan.ts';

/** Environments, their protection, and who may deploy. */
export interface EnvironmentServices {
  readonly environments: Environments;
  readonly protections: Protections;
  readonly access: DeployAccess;
  readonly ruleFiles: RuleFiles;
  readonly undo: (actor: Actor, row: AuditRecord) => Promise<void>;
}

/** Creates them. */
export function createEnvironmentServices(
  directory: Directory,
  store: EnvironmentStore,
  guards: GuardRules,
): EnvironmentServices {
  const protections = new Protections(directory, store);
  return {
    environments: new Environments(directory, store),
    protections,
    access: new DeployAccess(directory, store),
    ruleFiles: new RuleFiles(directory, protections, guards),
    undo: (actor, row) => undoProtectionChange(directory, protections, actor, row),
  };
}
