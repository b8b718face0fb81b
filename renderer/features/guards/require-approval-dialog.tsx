import { Select, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { accessLevels } from '../../../server/contract/constants.ts';
import type { ProtectedEnvironment } from '../../../server/contract/environments.ts';
import { guardMethods, hasEffect } from '../../../server/contract/guards.ts';
import { selectGuard } from '../../../server/contract/select-guard.ts';
import { useInheritedProtections, useProtectedEnvironments } from '../../api/environments.ts';
import { useGuards, useSetGuard } from '../../api/guards.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { said } from '../../ui/feedback/toast.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { renderPathOption } from '../../ui/forms/path-option.tsx';
import { useSchemaForm } from '../../ui/forms/use-schema-form.ts';
import { namesDropdown } from '../../ui/theme/theme.ts';
import { keepsTagApprovers, newTagApprovers } from '../../api/tag-approvers.ts';
import { draftsOf, inputOf, roleRules, usualEnvironments, withAdministrators } from '../../ui/rules/rule-draft.ts';
import { Approvers, approversLabel, mayWait, whoApproves } from './approvers.tsx';
import { guardNames } from './guard-people.ts';
import { MatchLine, matchText } from './matched-tags.tsx';

const untouched = {
  pattern: 'latest',
  /** Undefined: the likely one. */
  environment: undefined as string | undefined,
  rules: roleRules.filter((rule) => rule.kind === 'role' && rule.accessLevel === accessLevels.maintainer),
  /** Undefined: as the tag until now, or the others that the environment guards. */
  approversWait: undefined as boolean | undefined,
};

interface RequireApprovalDialogProps {
  /** Where it may be required; the first is chosen. */
  projects: readonly { id: number; fullPath: string }[];
  /** Undefined: it is asked for. */
  tag?: string;
  /** Once it is required. */
  onRequired?: () => void;
  onClose: () => void;
}

/** Lets publishes with a dist-tag wait for approval, in one step: protects an environment, unless that is done, and guards the tag with it. */
export function RequireApprovalDialog({ projects, tag, onRequired, onClose }: RequireApprovalDialogProps) {
  const [projectId, setProjectId] = useState(projects[0]?.id ?? 0);
  const { data: guards } = useGuards(projectId);
  const { data: environments, error } = useProtectedEnvironments({ projectId });
  const { data: inherited = [] } = useInheritedProtections(projectId);
  const require = useSetGuard();
  const { guards: all = [], tags = [] } = guards ?? {};
  const protectedOne = (name: string) => environments?.find((each) => each.name === name);
  const environmentOf = (typed: string | undefined) => typed ?? likelyEnvironment(environments, all);
  const toInput = (values: typeof untouched) => {
    const environment = environmentOf(values.environment).trim();
    const stored = protectedOne(environment);
    const pattern = values.pattern.trim();
    const waits =
      values.approversWait ??
      (selectGuard(all, pattern)?.deployersWait === true ||
        all.some((guard) => guard.environment === environment && guard.deployersWait));
    const isChoice = mayWait(stored ? draftsOf(stored) : values.rules);
    return {
      projectId,
      pattern,
      environment,
      onRefusal: 'stage' as const,
      deployersWait: isChoice ? waits : undefined,
      // That of another of them, as the dialog says.
      allowSelfApproval: isChoice && waits ? false : undefined,
    };
  };
  const form = useSchemaForm(
    guardMethods['guards.set'].input,
    // One that is guarded already is not what is meant by another.
    {
      ...untouched,
      pattern: tag ?? (all.some(({ pattern }) => pattern === untouched.pattern) ? '' : untouched.pattern),
    },
    {
      toInput,
      required: { pattern: 'Enter a tag or a pattern.' },
    },
  );
  const { rules } = form.values;
  const { pattern, environment: name, deployersWait } = toInput(form.values);
  const stored = protectedOne(name);
  const [above] = inherited.filter(
    ({ tier, approvalRules }) => tier === (stored?.tier ?? name) && approvalRules.length > 0,
  );
  const hasChoice = environments !== undefined && environments.length > 0;
  const former = all.find((guard) => guard.pattern === pattern && guard.environment !== name);
  const path = projects.find(({ id }) => id === projectId)?.fullPath ?? '';
  const tagsOf = (environment: string) => guardNames(all.filter((guard) => guard.environment === environment));
  const others = all.filter((guard) => hasEffect(guard) && guard.pattern !== pattern);
  const hasMatch = pattern !== '' && matchText(pattern, tags).length > 0;
  // What takes the focus depends on them.
  if (tag !== undefined && environments === undefined && !error) return null;
  return (
    <FormDialog
      opened
      title={tag === undefined ? 'Require approval' : `Require approval for ${tag}`}
      action="Require approval"
      size={520}
      isFilled={tag !== undefined && stored !== undefined}
      busy={require.isPending}
      error={require.error ?? error}
      onClose={onClose}
      onSubmit={form.submit((values) =>
        require.mutate(
          {
            ...toInput(values),
            ...(stored === undefined && { protection: inputOf(withAdministrators(values.rules)) }),
          },
          {
            onSuccess: () => {
              onClose();
              onRequired?.();
              notifications.show({ message: said`Changes of ${pattern} in ${path} now require approval` });
            },
          },
        ),
      )}
    >
      {projects.length === 1 ? null : (
        <Select
          {...namesDropdown}
          label="Project"
          allowDeselect={false}
          searchable={projects.length > 8}
          nothingFoundMessage="No match"
          renderOption={renderPathOption}
          data={projects.map(({ id, fullPath }) => ({ value: String(id), label: fullPath }))}
          value={String(projectId)}
          onChange={(value) => setProjectId(Number(value))}
        />
      )}
      {tag === undefined ? (
        <TextInput
          label="Tag"
          placeholder="e.g. latest or *-lts"
          description={
            <>
              {hasMatch ? <MatchLine pattern={pattern} tags={tags} /> : former ? null : 'Use * for any text.'}
              {former ? ` Now guarded by ${former.environment}.` : null}
            </>
          }
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('pattern')}
        />
      ) : null}
      <div>
        Publishing to this tag, or moving it, first needs an approval in the inbox. The rule holds for every package of{' '}
        {path}.
      </div>
      {!hasChoice ? null : (
        <Select
          {...namesDropdown}
          label={approversLabel}
          description={stored === undefined || stored.approvalRules.length === 0 ? whoApproves : undefined}
          allowDeselect={false}
          data={[
            ...environments.map(({ name: value, approvalRules }) => ({
              value,
              label: keepsTagApprovers(value, all)
                ? `The approvers of ${tagsOf(value)}`
                : approvalRules.length > 0
                  ? `Approvers of ${value}`
                  : `Whoever may deploy to ${value}`,
            })),
            { value: '', label: 'Chosen below' },
          ]}
          value={stored?.name ?? ''}
          onChange={(chosen) => form.setFieldValue('environment', chosen || newTagApprovers(environments))}
        />
      )}
      {environments === undefined ? null : (
        <Approvers
          projectId={projectId}
          rules={stored ? draftsOf(stored) : rules}
          onRules={stored ? undefined : (next) => form.setFieldValue('rules', [...next])}
          waits={deployersWait}
          onWaits={(waits) => form.setFieldValue('approversWait', waits)}
          hasHeading={hasChoice}
          isFirst={tag !== undefined}
        />
      )}
      {above === undefined ? null : (
        <Notice>
          The approval rules of the group {above.group.fullPath} for {above.tier} environments decide who approves.
        </Notice>
      )}
      {guards?.onRefusal === 'refuse' && others.length > 0 ? (
        <Notice>
          This also changes the other guarded tags of the project: publishing to them waits for approval instead of
          failing.
        </Notice>
      ) : null}
    </FormDialog>
  );
}

/**
 * The environment until another is typed: of those that are protected already the one that guards the most tags, else the most usual one that
 * says who approves. The deployers of any other would publish without approval, so there a new one is made.
 */
function likelyEnvironment(
  environments: readonly Pick<ProtectedEnvironment, 'name' | 'approvalRules'>[] = [],
  guards: readonly { environment: string }[] = [],
): string {
  const guarded = (name: string) => guards.filter(({ environment }) => environment === name).length;
  const fitting = environments.filter(({ name, approvalRules }) => guarded(name) > 0 || approvalRules.length > 0);
  const usual = usualEnvironments.filter((each) => fitting.some(({ name }) => name === each));
  const names = [...usual, ...fitting.map(({ name }) => name)];
  return names.toSorted((a, b) => guarded(b) - guarded(a))[0] ?? newTagApprovers(environments);
}
