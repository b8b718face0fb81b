import { Autocomplete, Button, Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { tiers } from '../../../server/contract/constants.ts';
import type {
  InheritedProtection,
  ProtectedEnvironment,
  ProtectionOwner,
} from '../../../server/contract/environments.ts';
import { useProtect } from '../../api/environments.ts';
import { ErrorNotice } from '../../ui/feedback/notice.tsx';
import { said } from '../../ui/feedback/toast.tsx';
import { ApprovalRules } from './approval-rules.tsx';
import { EditorFrame } from './editor-frame.tsx';
import {
  byKind,
  environmentNameProblem,
  inputOf,
  usualEnvironments,
  withAdministrators,
  type DraftRule,
} from '../../ui/rules/rule-draft.ts';
import { RuleList } from '../../ui/rules/rule-list.tsx';
import { RulePicker } from '../../ui/rules/rule-picker.tsx';
import { requiredField } from '../../ui/forms/use-schema-form.ts';
import { editKeyOf, keepEdit, unsavedEdit } from './unsaved-edits.ts';

interface ProtectFormProps {
  owner: ProtectionOwner;
  /** What the field has at first. */
  name: string;
  existing: readonly ProtectedEnvironment[];
  /** What groups above a project protect. */
  inherited: readonly InheritedProtection[];
  onProtected: (name: string) => void;
  onCancel: () => void;
}

/** Protects an environment: its name and who may deploy to it. */
export function ProtectForm({ owner, name: first, existing, inherited, onProtected, onCancel }: ProtectFormProps) {
  const isGroup = 'groupId' in owner;
  const taken = existing.map((environment) => environment.name);
  const protect = useProtect(owner);
  const editKey = editKeyOf(owner, '');
  // Left for another environment or screen, it is found again as it was.
  const [kept] = useState(() => {
    const edit = unsavedEdit(editKey);
    return first === '' || edit?.name === first ? edit : undefined;
  });
  const form = useForm({
    initialValues: { name: kept?.name ?? first, rules: kept?.rules ?? ([] as readonly DraftRule[]) },
    validate: (values) => ({
      name:
        isGroup && values.name === '' ? 'Choose a deployment tier.' : environmentNameProblem(values.name.trim(), taken),
    }),
  });
  const { name, rules } = form.values;
  useEffect(() => {
    const isEmpty = name.trim() === first && rules.length === 0;
    keepEdit(editKey, isEmpty ? undefined : { updatedAt: 0, base: [], rules, merged: [], name });
  }, [editKey, first, name, rules]);
  const close = (then: () => void) => {
    keepEdit(editKey, undefined);
    then();
  };
  const [deployRules, approvals] = byKind(rules);
  const setRules = (next: readonly DraftRule[]) => form.setFieldValue('rules', next);
  return (
    <EditorFrame
      label="Protect an environment"
      title="Protect an environment"
      intro={
        isGroup
          ? 'For all projects of the group. Administrators may always deploy.'
          : 'Administrators may always deploy.'
      }
      onSubmit={form.onSubmit(
        (values) =>
          protect.mutate(
            { name: values.name.trim(), ...inputOf(withAdministrators(values.rules)) },
            {
              onSuccess: (environment) => {
                close(() => onProtected(environment.name));
                notifications.show({ message: said`Protected ${environment.name}` });
              },
            },
          ),
        () => form.getInputNode('name')?.focus(),
      )}
      footer={
        <>
          <span className="gh-spacer" />
          <Button variant="default" onClick={() => close(onCancel)}>
            Cancel
          </Button>
          <Button type="submit" loading={protect.isPending}>
            Protect
          </Button>
        </>
      }
    >
      {isGroup ? (
        <Select
          label="Deployment tier"
          {...requiredField}
          placeholder="Choose a tier"
          autoFocus
          maw={320}
          data={tiers.filter((tier) => !taken.includes(tier))}
          {...form.getInputProps('name')}
          value={name === '' ? null : name}
          onChange={(tier) => form.setFieldValue('name', tier ?? '')}
        />
      ) : (
        <Autocomplete
          label="Environment"
          {...requiredField}
          placeholder={`e.g. ${usualEnvironments.find((usual) => !taken.includes(usual)) ?? 'preview'}`}
          autoFocus
          maw={320}
          data={usualEnvironments.filter((usual) => !taken.includes(usual))}
          {...form.getInputProps('name')}
        />
      )}
      <RulePicker
        owner={owner}
        chosen={deployRules}
        onPick={(rule) => setRules([...deployRules, rule, ...approvals])}
      />
      <RuleList
        empty="Only administrators."
        rules={deployRules}
        ofGroup={isGroup}
        onChange={(next) => setRules([...next, ...approvals])}
      />
      <ApprovalRules
        owner={owner}
        rules={approvals}
        areAll={!isGroup && inherited.every((protection) => protection.approvalRules.length === 0)}
        onChange={(next) => setRules([...deployRules, ...next])}
      />
      {protect.error ? <ErrorNotice title="The environment could not be protected" error={protect.error} /> : null}
    </EditorFrame>
  );
}
