import type { ReactNode } from 'react';
import type { InheritedProtection } from '../../../server/contract/environments.ts';

interface WhoDeploysProps {
  /** That a group protects; undefined for the environment of a project. */
  tier: string | undefined;
  /** What groups above the project protect for the same environment. */
  above: readonly InheritedProtection[];
  /** Names the tags that the environment guards; null for none. */
  guardedTags: ReactNode;
  /** Whether it only keeps the approvers of tags. */
  isForTags: boolean;
  /** Whether publishes to the tags wait for approval instead of failing. */
  isStaged: boolean;
  /** Whether approval rules say who approves. */
  hasApprovers: boolean;
  /** Whether those who may deploy wait as well. */
  wait: boolean;
}

/** Says above the rules of an environment whom they let deploy, and what that means for the tags that it guards. */
export function WhoDeploys({ tier, above, guardedTags, isForTags, isStaged, hasApprovers, wait }: WhoDeploysProps) {
  if (isForTags) {
    const verb = hasApprovers ? 'publish' : 'approve what is published';
    return (
      <>
        Administrators and everyone listed here {verb} to {guardedTags}
        {hasApprovers ? ' without approval' : null}.{' '}
      </>
    );
  }
  const { before, after } = wordsOfTags(isStaged, wait, hasApprovers);
  return (
    <>
      {deploySentence(tier, above)}{' '}
      {guardedTags === null ? null : (
        <>
          {before} {guardedTags}
          {after}.{' '}
        </>
      )}
    </>
  );
}

function deploySentence(tier: string | undefined, above: readonly InheritedProtection[]): string {
  if (tier !== undefined) {
    return `In every ${tier} environment of the group’s projects, administrators and everyone listed here may deploy.`;
  }
  return above.length === 0 ? 'Administrators and everyone listed here may deploy.' : bothSentence(above);
}

/** "To deploy, a user must match a rule here and one of the group local." */
function bothSentence(above: readonly InheritedProtection[]): string {
  const places = above.map(({ group }) => `one of the group ${group.fullPath}`);
  return `To deploy, a user must match a rule here${places.length === 1 ? '' : ','} and ${places.join(', and ')}.`;
}

/** What those who may deploy may do with the tags that an environment guards: the words before the names of these, and after. */
function wordsOfTags(isStaged: boolean, wait: boolean, hasApprovers: boolean): { before: string; after: string } {
  if (!isStaged) return { before: wait ? 'Only administrators publish to' : 'No one else publishes to', after: '' };
  if (!hasApprovers) return { before: 'They also approve what is published to', after: '' };
  if (wait) return { before: 'Its approvers also approve what is published to', after: '' };
  return { before: 'They may also publish to', after: ' without approval' };
}
