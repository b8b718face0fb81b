import { Link } from '@tanstack/react-router';
import type { TagGuardView } from '../../../server/contract/guards.ts';
import { guardNames } from '../guards/guard-people.ts';

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
