import type { EnvironmentStore } from '../../../environments/environment-store.ts';
import type {
  ApprovalRule,
  DeployLevel,
  EnvironmentRecord,
  Protection,
  Selector,
} from '../../../environments/records.ts';
import type { Sqlite } from '../sqlite.ts';

interface ProtectionRow {
  readonly id: number;
  readonly projectId: number | null;
  readonly groupId: number | null;
  readonly name: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const protectionColumns =
  'id, project_id AS projectId, group_id AS groupId, name, created_at AS createdAt, updated_at AS updatedAt';
const selectorColumns = `id, access_level AS accessLevel, user_id AS userId, group_id AS groupId,
  group_inheritance_type AS groupInheritanceType`;
const environmentColumns = `id, project_id AS projectId, name, slug, external_url AS externalUrl, description, tier, state,
  created_at AS createdAt, updated_at AS updatedAt`;

/** Environments, their protections and rules in SQLite. */
export function sqliteEnvironments(sqlite: Sqlite): EnvironmentStore {
  const statements = prepareStatements(sqlite);
  const toProtection = ({ projectId, groupId, ...row }: ProtectionRow): Protection => ({
    ...row,
    owner: projectId === null ? { kind: 'group', id: groupId ?? 0 } : { kind: 'project', id: projectId },
    deployLevels: statements.levels.all(row.id),
    approvalRules: statements.approvals.all(row.id),
  });
  const optional = (row: ProtectionRow | undefined) => row && toProtection(row);

  return {
    protections: (owner) => statements.ofOwner[owner.kind].all(owner.id).map(toProtection),
    countProtections: (owner) => statements.countOfOwner[owner.kind].get(owner.id) ?? 0,
    protection: (owner, name) => optional(statements.named[owner.kind].get(owner.id, name)),
    protectionById: (id) => optional(statements.byId.get(id)),
    protectionsNaming: ({ kind, id, projectId = null }) =>
      statements.naming[kind].all({ id, projectId }).map(toProtection),
    insertProtection: ({ kind, id }, name, now) => {
      const projectId = kind === 'project' ? id : null;
      const groupId = kind === 'group' ? id : null;
      return Number(statements.insertProtection.run(projectId, groupId, name, now, now).lastInsertRowid);
    },
    touchProtection: (id, now) => void statements.touchProtection.run(now, id),
    deleteProtection: (id) => void statements.deleteProtection.run(id),
    insertDeployLevel: (protectionId, level) =>
      Number(statements.insertLevel.run(protectionId, ...selectorValues(level)).lastInsertRowid),
    updateDeployLevel: (level) => void statements.updateLevel.run(...selectorValues(level), level.id),
    deleteDeployLevel: (id) => void statements.deleteLevel.run(id),
    insertApprovalRule: (protectionId, rule) => {
      const values = [protectionId, ...selectorValues(rule), rule.requiredApprovals];
      return Number(statements.insertApproval.run(...values).lastInsertRowid);
    },
    updateApprovalRule: (rule) =>
      void statements.updateApproval.run(...selectorValues(rule), rule.requiredApprovals, rule.id),
    deleteApprovalRule: (id) => void statements.deleteApproval.run(id),
    environments: (projectId) => statements.environments.all(projectId),
    countEnvironments: (projectId) => statements.countEnvironments.get(projectId) ?? 0,
    environment: (projectId, id) => statements.environment.get(projectId, id),
    environmentByName: (projectId, name) => statements.environmentByName.get(projectId, name),
    insertEnvironment: (environment) => Number(statements.insertEnvironment.run(environment).lastInsertRowid),
    updateEnvironment: (environment) => void statements.updateEnvironment.run(environment),
    deleteEnvironment: (id) => void statements.deleteEnvironment.run(id),
  };
}

function prepareStatements(sqlite: Sqlite) {
  const naming = (column: 'user_id' | 'group_id') =>
    sqlite.prepare<{ id: number; projectId: number | null }, ProtectionRow>(
      `SELECT ${protectionColumns} FROM protected_environments AS p
       WHERE (:projectId IS NULL OR p.project_id = :projectId)
         AND (EXISTS (SELECT 1 FROM deploy_access_levels WHERE protected_environment_id = p.id AND ${column} = :id)
           OR EXISTS (SELECT 1 FROM approval_rules WHERE protected_environment_id = p.id AND ${column} = :id))
       ORDER BY p.id`,
    );
  const ofOwner = (column: 'project_id' | 'group_id') =>
    sqlite.prepare<[number], ProtectionRow>(
      `SELECT ${protectionColumns} FROM protected_environments WHERE ${column} = ? ORDER BY name`,
    );
  const countOfOwner = (column: 'project_id' | 'group_id') =>
    sqlite.prepare<[number], number>(`SELECT count(*) FROM protected_environments WHERE ${column} = ?`).pluck();
  const named = (column: 'project_id' | 'group_id') =>
    sqlite.prepare<[number, string], ProtectionRow>(
      `SELECT ${protectionColumns} FROM protected_environments WHERE ${column} = ? AND name = ?`,
    );

  return {
    ofOwner: { project: ofOwner('project_id'), group: ofOwner('group_id') },
    countOfOwner: { project: countOfOwner('project_id'), group: countOfOwner('group_id') },
    named: { project: named('project_id'), group: named('group_id') },
    naming: { user: naming('user_id'), group: naming('group_id') },
    byId: sqlite.prepare<[number], ProtectionRow>(
      `SELECT ${protectionColumns} FROM protected_environments WHERE id = ?`,
    ),
    insertProtection: sqlite.prepare<unknown[]>(
      `INSERT INTO protected_environments (project_id, group_id, name, created_at, updated_at) VALUES (?, ?, ?, ?, ?)`,
    ),
    touchProtection: sqlite.prepare<[number, number]>('UPDATE protected_environments SET updated_at = ? WHERE id = ?'),
    deleteProtection: sqlite.prepare<[number]>('DELETE FROM protected_environments WHERE id = ?'),

    levels: sqlite.prepare<[number], DeployLevel>(
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

    approvals: sqlite.prepare<[number], ApprovalRule>(
      `SELECT ${selectorColumns}, required_approvals AS requiredApprovals FROM approval_rules WHERE protected_environment_id = ? ORDER BY id`,
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

    environments: sqlite.prepare<[number], EnvironmentRecord>(
      `SELECT ${environmentColumns} FROM environments WHERE project_id = ? ORDER BY name`,
    ),
    countEnvironments: sqlite
      .prepare<[number], number>('SELECT count(*) FROM environments WHERE project_id = ?')
      .pluck(),
    environment: sqlite.prepare<[number, number], EnvironmentRecord>(
      `SELECT ${environmentColumns} FROM environments WHERE project_id = ? AND id = ?`,
    ),
    environmentByName: sqlite.prepare<[number, string], EnvironmentRecord>(
      `SELECT ${environmentColumns} FROM environments WHERE project_id = ? AND name = ?`,
    ),
    insertEnvironment: sqlite.prepare<Omit<EnvironmentRecord, 'id'>>(
      `INSERT INTO environments (project_id, name, slug, external_url, description, tier, state, created_at, updated_at)
       VALUES (:projectId, :name, :slug, :externalUrl, :description, :tier, :state, :createdAt, :updatedAt)`,
    ),
    updateEnvironment: sqlite.prepare<EnvironmentRecord>(
      `UPDATE environments SET external_url = :externalUrl, description = :description, tier = :tier, state = :state,
         updated_at = :updatedAt WHERE id = :id`,
    ),
    deleteEnvironment: sqlite.prepare<[number]>('DELETE FROM environments WHERE id = ?'),
  };
}

function selectorValues(selector: Selector) {
  return [selector.accessLevel, selector.userId, selector.groupId, selector.groupInheritanceType] as const;
}
