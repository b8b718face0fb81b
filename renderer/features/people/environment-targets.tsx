import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { EnvironmentTarget } from '../../../server/contract/environments.ts';
import { RowName } from '../../ui/lists/columns.tsx';
import { TailText } from '../../ui/text/tail-text.tsx';
import { tip } from '../../ui/text/tip.ts';
import { PlaceLink } from './access-columns.tsx';
import type { SortValues } from './sort-rows.ts';

/** A protected environment where a user may deploy or approve, below the groups and projects that the user reaches. */
export interface TargetRow {
  key: string;
  section: 'Protected environments';
  name: string;
  target: EnvironmentTarget;
}

export function targetRows(targets: readonly EnvironmentTarget[]): TargetRow[] {
  return targets.map((target) => ({
    key: `${target.right} ${target.project.id} ${target.environment}`,
    section: 'Protected environments',
    name: target.environment,
    target,
  }));
}

/** What the search looks at. */
export function targetText({ target: { environment, project, rule, right } }: TargetRow): string {
  return `${environment} ${project.fullPath} ${rule?.description ?? ''} ${rule?.detail ?? ''} ${rightTexts[right]}`;
}

const rightTexts: Readonly<Record<EnvironmentTarget['right'], string>> = {
  deploy: 'May deploy',
  approve: 'May approve',
};

/** What stands in the columns of the list of access; nothing in the others. */
export const targetCells: Readonly<Record<string, (row: TargetRow) => ReactNode>> = {
  Name: ({ target: { environment, project } }) => (
    <RowName
      name={
        <Anchor
          inherit
          c="inherit"
          renderRoot={(props) => <Link {...props} {...environmentLink(project.id, environment)} />}
        >
          <TailText text={environment} tail={12} />
        </Anchor>
      }
      id={project.fullPath}
    />
  ),
  Source: ({ target: { rule, reason } }) => (
    <div className="gh-muted gh-truncate" {...tip(reason)}>
      {rule === null ? (
        'Administrator'
      ) : rule.groupId !== null ? (
        <PlaceLink kind="group" id={rule.groupId}>
          <TailText text={rule.detail} tail={20} />
        </PlaceLink>
      ) : rule.kind === 'user' ? (
        'Named in a rule'
      ) : (
        rule.description
      )}
    </div>
  ),
  Role: ({ target: { right } }) => <Text c="dimmed">{rightTexts[right]}</Text>,
};

/** What the columns are sorted by. */
export const targetOrder: SortValues<TargetRow> = {
  Name: ({ name }) => name,
  Source: ({ target: { rule } }) => rule?.description ?? '',
  Role: ({ target: { right } }) => rightTexts[right],
};

/** Where the rules of an environment are. */
export function environmentLink(project: number, name: string) {
  return { to: '/environments', search: { project, name } } as const;
}
