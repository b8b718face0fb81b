import { Link } from '@tanstack/react-router';
import type { TagGuardView } from '../../../server/contract/guards.ts';
import { fewOf } from '../../ui/text/format.ts';

interface GuardedTagsLinkProps {
  projectId: number;
  /** One at least. */
  guards: readonly TagGuardView[];
}

/** "latest and 2 more", of the tags and patterns that an environment guards; leads to them. */
export function GuardedTagsLink({ projectId, guards }: GuardedTagsLinkProps) {
  return (
    <Link to="/environments" search={{ project: projectId, view: 'tags' }}>
      {guardNames(guards)}
    </Link>
  );
}

/** "latest and 2 more", with `latest` first. */
export function guardNames(guards: readonly Pick<TagGuardView, 'pattern'>[]): string {
  const names = guards.map(({ pattern }) => pattern);
  return fewOf(
    names.toSorted((a, b) => Number(b === 'latest') - Number(a === 'latest')),
    1,
  );
}
