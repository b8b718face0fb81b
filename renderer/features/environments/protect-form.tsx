import { Autocomplete, Button } from '@mantine/core';
import { useState } from 'react';
import type { ProtectedEnvironment } from '../../../server/contract/environments.ts';
import { useProtect } from '../../api/environments.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { environmentNameProblem, inputOf, type DraftRule } from './rule-draft.ts';
import { RuleList } from './rule-list.tsx';
import { RulePicker } from './rule-picker.tsx';

const usualNames = ['production', 'staging', 'testing', 'development'];

interface ProtectFormProps {
  projectId: number;
  existing: readonly ProtectedEnvironment[];
  onProtected: (name: string) => void;
  onCancel: () => void;
}

/** Protects an environment: its name and who may deploy to it. */
export function ProtectForm({ projectId, existing, onProtected, onCancel }: ProtectFormProps) {
  const taken = existing.map((environment) => environment.name);
  const [name, setName] = useState('');
  const [rules, setRules] = useState<readonly DraftRule[]>([]);
  const [asked, setAsked] = useState(false);
  const protect = useProtect(projectId);
  const nameProblem = environmentNameProblem(name.trim(), taken);
  const rulesProblem = rules.length === 0 ? 'Add at least one role, person or group.' : undefined;

  return (
    <form
      className="gh-editor"
      aria-label="Protect an environment"
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (nameProblem !== undefined || rulesProblem !== undefined) return;
        protect.mutate(
          { name: name.trim(), rules: rules.map(inputOf) },
          { onSuccess: (environment) => onProtected(environment.name) },
        );
      }}
    >
      <div className="gh-editor-body gh-scroll">
        <div className="gh-editor-inner">
          <div className="gh-editor-title">
            <h2>Protect an environment</h2>
          </div>
          <p className="gh-editor-intro">
            Only those named here may deploy to it. Everyone else is refused, with the reason.
          </p>
          <Autocomplete
            label="Environment"
            placeholder="production"
            autoFocus
            maw={320}
            data={usualNames.filter((usual) => !taken.includes(usual))}
            value={name}
            onChange={setName}
            error={asked ? nameProblem : undefined}
          />
          <RulePicker
            projectId={projectId}
            chosen={rules}
            onPick={(rule) => setRules([...rules, rule])}
            error={asked ? rulesProblem : undefined}
          />
          <RuleList before={[]} rules={rules} onChange={setRules} />
          {protect.error ? <ErrorNotice title="It could not be protected" error={protect.error} /> : null}
        </div>
      </div>
      <div className="gh-save-bar">
        <p />
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={protect.isPending}>
          Protect
        </Button>
      </div>
    </form>
  );
}
