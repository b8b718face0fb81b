import { parse, stringify, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { GatehouseError } from '../contract/errors.ts';
import { onRefusal } from '../contract/guards.ts';
import type { Directory } from '../accounts/directory.ts';
import type { Protection, Selector } from './records.ts';

/** Names of the roles in a file. */
export const fileRoles = { developer: 30, maintainer: 40, administrator: 60 } as const;
const roleOfLevel: Readonly<Record<number, keyof typeof fileRoles>> = {
  30: 'developer',
  40: 'maintainer',
  60: 'administrator',
};

const role = z.enum(['developer', 'maintainer', 'administrator']);
const reference = z.string().trim().min(1).max(1000);
const approvals = z.int().min(1).max(5).default(1);

const byRole = z.strictObject({ role });
const byUser = z.strictObject({ user: reference });
const byGroup = z.strictObject({ group: reference, inherited: z.boolean().default(false) });

const fileRule = z.union([byRole, byUser, byGroup], {
  error: 'must be exactly one of "role" (developer, maintainer, administrator), "user" and "group" (with "inherited")',
});
const fileApproval = z.union(
  [byRole.extend({ approvals }), byUser.extend({ approvals }), byGroup.extend({ approvals })],
  { error: 'must be exactly one of "role", "user" and "group", with "approvals" from 1 to 5' },
);

const rulesFile = z.strictObject({
  version: z.literal(1),
  protected_environments: z.array(
    z.strictObject({
      name: z.string().min(1).max(255),
      deploy: z.array(fileRule).min(1),
      approve: z.array(fileApproval).default([]),
    }),
  ),
  /** Dist-tags that environments guard; those of the project stay where it is left out. */
  guards: z
    .array(
      z.strictObject({
        tag: reference,
        environment: reference,
        allow_self_approval: z.boolean().optional(),
        deployers_wait: z.boolean().optional(),
      }),
    )
    .optional(),
  on_refusal: onRefusal.optional(),
});

/** Protection rules in a file: users by username, groups by full path. */
export type RulesFile = z.infer<typeof rulesFile>;
export type FileRule = z.infer<typeof fileRule>;

/**
 * Reads a rules file.
 * @throws GatehouseError `invalid_request` that says where the file is wrong.
 */
export function parseRulesFile(text: string): RulesFile {
  let document: unknown;
  try {
    document = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    const reason = error instanceof YAMLParseError || error instanceof ReferenceError ? error.message : 'unreadable';
    throw new GatehouseError('invalid_request', `The rules file is not valid YAML: ${reason}`);
  }
  const result = rulesFile.safeParse(document);
  if (!result.success) {
    const messages = result.error.issues.map((issue) => `${issue.path.join('.') || 'file'}: ${issue.message}`);
    throw new GatehouseError('invalid_request', `The rules file is not valid. ${messages.join('; ')}`, { messages });
  }
  const names = result.data.protected_environments.map((entry) => entry.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new GatehouseError('invalid_request', `The rules file names the environment '${twice}' twice.`);
  }
  const tags = (result.data.guards ?? []).map(({ tag }) => tag);
  const twiceGuarded = tags.find((tag, index) => tags.indexOf(tag) !== index);
  if (twiceGuarded !== undefined) {
    throw new GatehouseError('invalid_request', `The rules file guards the tag '${twiceGuarded}' twice.`);
  }
  return result.data;
}

/** The protections and guards of a project as the text of a rules file. */
export function formatRulesFile(
  directory: Directory,
  projectPath: string,
  protections: readonly Protection[],
  guards: Pick<z.input<typeof rulesFile>, 'guards' | 'on_refusal'>,
): string {
  const document: z.input<typeof rulesFile> = {
    version: 1,
    protected_environments: protections.map((protection) => ({
      name: protection.name,
      deploy: protection.deployLevels.map((level) => toFileRule(directory, level)),
      ...(protection.approvalRules.length === 0
        ? {}
        : {
            approve: protection.approvalRules.map((rule) => ({
              ...toFileRule(directory, rule),
              approvals: rule.requiredApprovals,
            })),
          }),
    })),
    ...guards,
  };
  const head = `# Who may deploy where in ${projectPath}.\n# Apply with: gatehouse rules apply ${projectPath} FILE [--dry-run]\n`;
  return head + stringify(document, { lineWidth: 0 });
}

/** A rule with names in place of ids. */
export function toFileRule(directory: Directory, selector: Selector): FileRule {
  const { index } = directory;
  if (selector.userId !== null) return { user: index.users.get(selector.userId)?.username ?? String(selector.userId) };
  if (selector.groupId !== null) {
    const group = index.namespaces.get(selector.groupId)?.fullPath ?? String(selector.groupId);
    return selector.groupInheritanceType === 1 ? { group, inherited: true } : ({ group } as FileRule);
  }
  return { role: roleOfLevel[selector.accessLevel ?? 0] ?? 'administrator' };
}
