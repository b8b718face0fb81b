/**
 * The window stores who approves the tags of a project as the rules of an environment of this name, to which nothing is deployed. It stands
 * under Tag approvals, and not beside the environments that people name.
 */
const usualName = 'tag-approvers';

/** Whether an environment of this name is made for the approvers of tags. */
export const isTagApprovers = (name: string): boolean => /^tag-approvers(?:-\d+)?$/.test(name);

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
