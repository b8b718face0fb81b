import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { hasEffect } from '../../../server/contract/guards.ts';
import { useGuards } from '../../api/guards.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { namesOneTag } from './matched-tags.tsx';
import './guards.css';

/** Guards that name environments which nothing protects. */
export function UnprotectedGuards({ projectId }: { projectId: number }) {
  const { data } = useGuards(projectId);
  const open = data?.guards.filter((guard) => !hasEffect(guard)) ?? [];
  if (open.length === 0) return null;
  const isStaged = data?.onRefusal === 'stage';
  return (
    <div className="gh-unprotected-guards">
      <Notice
        tone="warn"
        title={
          isStaged ? 'Approval without effect' : open.length === 1 ? 'A guard without effect' : 'Guards without effect'
        }
      >
        {open.slice(0, 3).map(({ id, pattern, environment }) => (
          <Fragment key={id}>
            <strong>{pattern}</strong> {isStaged ? 'should wait for approvers of' : 'is guarded by'}{' '}
            <Link to="/environments" search={{ project: projectId, name: environment }}>
              {environment}
            </Link>
            , which is not protected.{' '}
          </Fragment>
        ))}
        {open.length > 3
          ? `${formatCount(open.length - 3)} more ${isStaged ? 'tags' : 'guards'} name unprotected environments. `
          : ''}
        Everyone who may publish can move {open.length === 1 && open.every(namesOneTag) ? 'this tag' : 'these tags'}.
      </Notice>
    </div>
  );
}
