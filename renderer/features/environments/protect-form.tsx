import { Autocomplete, Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ProtectedEnvironment } from '../../../server/contract/environments.ts';
import { useProtect } from '../../api/environments.ts';
import { ErrorNotice } from '../../ui/feedback/notice.tsx';
import { EditorFrame } from './editor-frame.tsx';
import { environmentNameProblem, inputOf, type DraftRule } from './rule-draft.ts';
import { RuleList } from './rule-list.tsx';
import { RulePicker } from './rule-picker.tsx';

const usualNames = ['production', 'staging', 'testing', 'development'];

interface ProtectFormProps {
  projectId: number;
  /** What the field has at first. */
  name: string;
  existing: readonly ProtectedEnvironment[];
  onProtected: (name: string) => void;
  onCancel: () => void;
}

/** Protects an environment: its name and who may deploy to it. */
export function ProtectForm({ projectId, name, existing, onProtected, onCancel }: ProtectFormProps) {
  const taken = existing.map((environment) => environment.name);
  const protect = useProtect(projectId);
  const form = useForm({
    initialValues: { name, rules: [] as readonly DraftRule[] },
    validate: (values) => ({
      name: environmentNameProblem(values.name.trim(), taken),
      rules: values.rules.length === 0 ? 'Add at least one role, user or group.' : undefined,
    }),
  });
  const { rules } = form.values;
  const setRules = (next: readonly DraftRule[]) => form.setFieldValue('rules', next);
  return (
    <EditorFrame
      label="Protect an environment"
      title="Protect an environment"
      intro="Only those named here may deploy to it. Everyone else is refused, with the reason."
      onSubmit={form.onSubmit(
        (values) =>
          protect.mutate(
            { name: values.name.trim(), ...inputOf(values.rules) },
            { onSuccess: (environment) => onProtected(environment.name) },
          ),
        (errors) => form.getInputNode(errors['name'] === undefined ? 'rules' : 'name')?.focus(),
      )}
      footer={
        <>
          <span className="gh-spacer" />
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={protect.isPending}>
            Protect
          </Button>
        </>
      }
    >
      <Autocomplete
        label="Environment"
        placeholder="production"
        autoFocus
        maw={320}
        data={usualNames.filter((usual) => !taken.includes(usual))}
        {...form.getInputProps('name')}
      />
      <RulePicker
        projectId={projectId}
        chosen={rules}
        onPick={(rule) => setRules([...rules, rule])}
        error={form.errors['rules']}
      />
      <RuleList rules={rules} onChange={setRules} />
      {protect.error ? <ErrorNotice title="The environment could not be protected" error={protect.error} /> : null}
    </EditorFrame>
  );
}
