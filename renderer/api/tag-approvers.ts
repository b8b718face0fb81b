import type { AuditRow } from '../../server/contract/directory.ts';
import { isRecord } from './is-record.ts';

/**
 * The window stores who approves the tags of a project as the rules of an environment of this name, to which nothing is deployed. It stands
 * under Tag approvals, and not beside the environments that people name.
 */
const usualName = 'tag-approvers';

/** Whether an environment of this name is made for the approvers of tags. */
export const isTagApprovers = (name: string): boolean => /^tag-approvers(?:-\d+)?$/.test(name);

/** Whether it is what a change of such an environment changed. */
export const isOfTagApprovers = ({ type, name }: AuditRow['target']): boolean =>
  type === 'protected_environment' && isTagApprovers(name);

/** Whether a change made such an environment or ended it, as a part of a change of a tag's guard, which would stay without it. */
export const comesWithGuard = ({ target, before, after }: AuditRow): boolean =>
  isOfTagApprovers(target) && isRecord(before) !== isRecord(after);

/** Whether an environment keeps the approvers of tags and nothing else. */
export function keepsTagApprovers(name: string, guards: readonly { environment: string }[]): boolean {
  return isTagApprovers(name) && guards.some(({ environment }) => environment === name);
}

/** A name for a new one: of its own, as whoever is let deploy to another one later would else publish without approval. */
export function newTagApprovers(environments: readonly { name: string }[]): string {
  const isFree = (name: string) => !environments.some((each) => each.name === name);
  const numbered = environments.map((_, index) => `${usualName}-${index + 2}`);
  return [usualName, ...numbered].find(isFree) ?? '';
}
