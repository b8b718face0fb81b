import { Button } from '@mantine/core';
import { hasEffect } from '../../../server/contract/guards.ts';
import { useGuards } from '../../api/guards.ts';
import type { InheritedProtection } from '../../../server/contract/environments.ts';
import { PathText } from '../../ui/text/path-text.tsx';
import { EditorFrame } from './editor-frame.tsx';
import { GuardedTagsLink } from './guarded-tags-link.tsx';
import { InheritedRules } from './inherited-rules.tsx';

interface UnprotectedEnvironmentProps {
  projectId: number;
  name: string;
  /** What groups above the project protect. */
  inherited: readonly InheritedProtection[];
  onProtect: () => void;
}

/** An environment without rules of the project's own, which may guard tags all the same. */
export function UnprotectedEnvironment({ projectId, name, inherited, onProtect }: UnprotectedEnvironmentProps) {
  const { data } = useGuards(projectId);
  const guards = data?.guards.filter(({ environment }) => environment === name) ?? [];
  const above = inherited.filter((protection) => protection.tier === guards[0]?.tier);
  return (
    <EditorFrame
      label={`Guards of ${name}`}
      title={<PathText path={name} />}
      intro={
        <>
          {above.length === 0
            ? 'Not protected: everyone with the Developer role or higher may deploy.'
            : 'Not protected in this project: the rules of the groups below decide who may deploy.'}
          {guards.length === 0 ? null : (
            <>
              {' '}
              {data?.onRefusal === 'stage' ? 'It keeps the approvers of' : 'Guards'}{' '}
              <GuardedTagsLink projectId={projectId} guards={guards} />
              {guards.some(hasEffect) ? '.' : ', without effect until it is protected.'}
            </>
          )}
        </>
      }
      action={
        <Button variant="default" flex="none" onClick={onProtect}>
          Protect…
        </Button>
      }
      footer={null}
      onSubmit={(event) => event.preventDefault()}
    >
      {above.map((protection) => (
        <InheritedRules key={protection.id} protection={protection} />
      ))}
    </EditorFrame>
  );
}
