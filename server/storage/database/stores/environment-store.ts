import type { Tier } from '../../../contract/constants.ts';
import type { RuleLevel } from '../../../contract/levels.ts';
import type { EnvironmentStore, RuleSubject } from '../../../environments/environment-store.ts';
import type {
  ApprovalRule,
  DeployLevel,
  EnvironmentRecord,
  Protection,
  ProtectionOwner,
  Selector,
} from '../../../environments/records.ts';
import type { Sqlite } from '../sqlite.ts';

interface ProtectionRow {
  id: number;
  project_id: number | null;
  group_id: number | null;
  name: string;
  created_at: number;
  updated_at: number;
}

interface SelectorRow {
  id: number;
  access_level: RuleLevel | null;
  user_id: number | null;
  group_id: number | null;
  group_inheritance_type: 0 | 1;
}

interface ApprovalRow extends SelectorRow {
  required_approvals: number;
}

interface EnvironmentRow {
  id: number;
  project_id: number;
  name: string;
  slug: string;
  external_url: string | null;
  description: string | null;
  tier: Tier;
  state: EnvironmentRecord['state'];
  created_at: number;
  updated_at: number;
}

const selectorColumns = 'id, access_level, user_id, group_id, group_inheritance_type';

/** Environments, their protections and rules in SQLite; statements are prepared once. */
export class SqliteEnvironmentStore implements EnvironmentStore {
  readonly #statements;

  constructor(sqlite: Sqlite) {
    this.#statements = prepare(sqlite);
  }

  protections(owner: ProtectionOwner): Protection[] {
    return this.#statements.ofOwner[owner.kind].all(owner.id).map((row) => this.#toProtection(row));
  }

  protection(owner: ProtectionOwner, name: string): Protection | undefined {
    const row = this.#statements.named[owner.kind].get(owner.id, name);
    return row && this.#toProtection(row);
  }

  protectionById(id: number): Protection | undefined {
    const row = this.#statements.byId.get(id);
    return row && this.#toProtection(row);
  }

  protectionsNaming(subject: RuleSubject): Protection[] {
    const parameters = { id: subject.id, projectId: subject.projectId ?? null };
    return this.#statements.naming[subject.kind].all(parameters).map((row) => this.#toProtection(row));
  }

  insertProtection(owner: ProtectionOwner, name: string, now: number): number {
    const projectId = owner.kind === 'project' ? owner.id : null;
    const groupId = owner.kind === 'group' ? owner.id : null;
    return Number(this.#statements.insertProtection.run(projectId, groupId, name, now, now).lastInsertRowid);
  }

  touchProtection(id: number, now: number): void {
    this.#statements.touchProtection.run(now, id);
  }

  deleteProtection(id: number): void {
    this.#statements.deleteProtection.run(id);
  }

  insertDeployLevel(protectionId: number, level: Omit<DeployLevel, 'id'>): number {
    return Number(this.#statements.insertLevel.run(protectionId, ...selectorValues(level)).lastInsertRowid);
  }

  updateDeployLevel(level: DeployLevel): void {
    this.#statements.updateLevel.run(...selectorValues(level), level.id);
  }

  deleteDeployLevel(id: number): void {
    this.#statements.deleteLevel.run(id);
  }

  insertApprovalRule(protectionId: number, rule: Omit<ApprovalRule, 'id'>): number {
    const values = [protectionId, ...selectorValues(rule), rule.requiredApprovals];
    return Number(this.#statements.insertApproval.run(...values).lastInsertRowid);
  }

  updateApprovalRule(rule: ApprovalRule): void {
    this.#statements.updateApproval.run(...selectorValues(rule), rule.requiredApprovals, rule.id);
  }

  deleteApprovalRule(id: number): void {
    this.#statements.deleteApproval.run(id);
  }

  environments(projectId: number): EnvironmentRecord[] {
    return this.#statements.environments.all(projectId).map(toEnvironment);
  }

  environment(projectId: number, id: number): EnvironmentRecord | undefined {
    const row = this.#statements.environment.get(projectId, id);
    return row && toEnvironment(row);
  }

  environmentByName(projectId: number, name: string): EnvironmentRecord | undefined {
    const row = this.#statements.environmentByName.get(projectId, name);
    return row && toEnvironment(row);
  }

  insertEnvironment(environment: Omit<EnvironmentRecord, 'id'>): number {
    return Number(
      this.#statements.insertEnvironment.run(
        environment.projectId,
        environment.name,
        environment.slug,
        environment.externalUrl,
        environment.description,
        environment.tier,
        environment.state,
        environment.createdAt,
        environment.updatedAt,
      ).lastInsertRowid,
    );
  }

  updateEnvironment(environment: EnvironmentRecord): void {
    this.#statements.updateEnvironment.run(
      environment.externalUrl,
      environment.description,
      environment.tier,
      environment.state,
      environment.updatedAt,
      environment.id,
    );
  }

  deleteEnvironment(id: number): void {
    this.#statements.deleteEnvironment.run(id);
  }

  #toProtection(row: ProtectionRow): Protection {
    return {
      id: row.id,
      owner:
        row.project_id === null ? { kind: 'group', id: row.group_id ?? 0 } : { kind: 'project', id: row.project_id },
      name: row.name,
      deployLevels: this.#statements.levels.all(row.id).map((level) => ({ id: level.id, ...toSelector(level) })),
      approvalRules: this.#statements.approvals
        .all(row.id)
        .map((rule) => ({ id: rule.id, ...toSelector(rule), requiredApprovals: rule.required_approvals })),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    };
  }
}

function prepare(sqlite: Sqlite) {
  const naming = (column: 'user_id' | 'group_id') =>
    sqlite.prepare<{ id: number; projectId: number | null }, ProtectionRow>(
      `SELECT * FROM protected_environments AS p
       WHERE (:projectId IS NULL OR p.project_id = :projectId)
         AND (EXISTS (SELECT 1 FROM deploy_access_levels WHERE protected_environment_id = p.id AND ${column} = :id)
           OR EXISTS (SELECT 1 FROM approval_rules WHERE protected_environment_id = p.id AND ${column} = :id))
       ORDER BY p.id`,
    );
  const ofOwner = (column: 'project_id' | 'group_id') =>
    sqlite.prepare<[number], ProtectionRow>(`SELECT * FROM protected_environments WHERE ${column} = ? ORDER BY name`);
  const named = (column: 'project_id' | 'group_id') =>
    sqlite.prepare<[number, string], ProtectionRow>(
      `SELECT * FROM protected_environments WHERE ${column} = ? AND name = ?`,
    );
  const environmentColumns =
    'id, project_id, name, slug, external_url, description, tier, state, created_at, updated_at';

  return {
    ofOwner: { project: ofOwner('project_id'), group: ofOwner('group_id') },
    named: { project: named('project_id'), group: named('group_id') },
    naming: { user: naming('user_id'), group: naming('group_id') },
    byId: sqlite.prepare<[number], ProtectionRow>('SELECT * FROM protected_environments WHERE id = ?'),
    insertProtection: sqlite.prepare<unknown[]>(
      `INSERT INTO protected_environments (project_id, group_id, name, created_at, updated_at) VALUES (?, ?, ?, ?, ?)`,
    ),
    touchProtection: sqlite.prepare<[number, number]>('UPDATE protected_environments SET updated_at = ? WHERE id = ?'),
    deleteProtection: sqlite.prepare<[number]>('DELETE FROM protected_environments WHERE id = ?'),

    levels: sqlite.prepare<[number], SelectorRow>(
      `SELECT ${selectorColumns} FROM deploy_access_levels WHERE protected_environment_id = ? ORDER BY id`,
    ),
    insertLevel: sqlite.prepare<unknown[]>(
      `INSERT INTO deploy_access_levels (protected_environment_id, access_level, user_id, group_id, group_inheritance_type)
       VALUES (?, ?, ?, ?, ?)`,
    ),
    updateLevel: sqlite.prepare<unknown[]>(
      `UPDATE deploy_access_levels SET access_level = ?, user_id = ?, group_id = ?, group_inheritance_type = ? WHERE id = ?`,
    ),
    deleteLevel: sqlite.prepare<[number]>('DELETE FROM deploy_access_levels WHERE id = ?'),

    approvals: sqlite.prepare<[number], ApprovalRow>(
      `SELECT ${selectorColumns}, required_approvals FROM approval_rules WHERE protected_environment_id = ? ORDER BY id`,
    ),
    insertApproval: sqlite.prepare<unknown[]>(
      `INSERT INTO approval_rules
         (protected_environment_id, access_level, user_id, group_id, group_inheritance_type, required_approvals)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    updateApproval: sqlite.prepare<unknown[]>(
      `UPDATE approval_rules
       SET access_level = ?, user_id = ?, group_id = ?, group_inheritance_type = ?, required_approvals = ? WHERE id = ?`,
    ),
    deleteApproval: sqlite.prepare<[number]>('DELETE FROM approval_rules WHERE id = ?'),

    environments: sqlite.prepare<[number], EnvironmentRow>(
      `SELECT ${environmentColumns} FROM environments WHERE project_id = ? ORDER BY name`,
    ),
    environment: sqlite.prepare<[number, number], EnvironmentRow>(
      `SELECT ${environmentColumns} FROM environments WHERE project_id = ? AND id = ?`,
    ),
    environmentByName: sqlite.prepare<[number, string], EnvironmentRow>(
      `SELECT ${environmentColumns} FROM environments WHERE project_id = ? AND name = ?`,
    ),
    insertEnvironment: sqlite.prepare<unknown[]>(
      `INSERT INTO environments (project_id, name, slug, external_url, description, tier, state, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    updateEnvironment: sqlite.prepare<unknown[]>(
      `UPDATE environments SET external_url = ?, description = ?, tier = ?, state = ?, updated_at = ? WHERE id = ?`,
    ),
    deleteEnvironment: sqlite.prepare<[number]>('DELETE FROM environments WHERE id = ?'),
  };
}

function selectorValues(selector: Selector) {
  return [selector.accessLevel, selector.userId, selector.groupId, selector.groupInheritanceType] as const;
}

function toSelector(row: SelectorRow): Selector {
  return {
    accessLevel: row.access_level,
    userId: row.user_id,
    groupId: row.group_id,
    groupInheritanceType: row.group_inheritance_type,
  };
}

function toEnvironment(row: EnvironmentRow): EnvironmentRecord {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    slug: row.slug,
    externalUrl: row.external_url,
    description: row.description,
    tier: row.tier,
    state: row.state,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
