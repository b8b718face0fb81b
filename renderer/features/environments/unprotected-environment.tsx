import { Button } from '@mantine/core';
import { useGuards } from '../../api/guards.ts';
import type { InheritedProtection } from '../../../server/contract/environments.ts';
import { PathText } from '../../ui/text/path-text.tsx';
import { TagGuards } from '../guards/tag-guards.tsx';
import { EditorFrame } from './editor-frame.tsx';
import { InheritedRules } from './inherited-rules.tsx';

interface UnprotectedEnvironmentProps {
  projectId: number;
  name: string;
  /** What groups above the project protect. */
  inherited: readonly InheritedProtection[];
  onProtect: () => void;
  /** Opens another environment. */
  onOpen: (name: string) => void;
}

/** An environment without rules of the project's own, which may guard tags all the same. */
export function UnprotectedEnvironment({ projectId, name, inherited, onProtect, onOpen }: UnprotectedEnvironmentProps) {
  const { data } = useGuards(projectId);
  const guard = data?.guards.find(({ environment }) => environment === name);
  const above = inherited.filter((protection) => protection.tier === guard?.tier);
  return (
    <EditorFrame
      label={`Guards of ${name}`}
      title={<PathText path={name} />}
      intro={
        above.length === 0
          ? 'Not protected: everyone with the Developer role or higher may deploy.'
          : 'Not protected in this project: the rules of the groups below decide who may deploy.'
      }
      action={
        <Button variant="default" flex="none" onClick={onProtect}>
          Protect…
        </Button>
      }
      footer={null}
      onSubmit={(event) => event.preventDefault()}
    >
      <TagGuards projectId={projectId} environment={name} onOpen={onOpen} />
      {above.map((protection) => (
        <InheritedRules key={protection.id} protection={protection} />
      ))}
    </EditorFrame>
  );
}
