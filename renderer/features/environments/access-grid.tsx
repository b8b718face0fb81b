import { Button, Table } from '@mantine/core';
import { IconCheck, IconLockOpen, IconShieldLock, IconUsers, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { compareNames } from '../../../server/contract/compare-names.ts';
import type { MemberEntry } from '../../../server/contract/directory.ts';
import type { EnvironmentAccess } from '../../../server/contract/environments.ts';
import { useMembers } from '../../api/directory.ts';
import {
  useDeployAccess,
  useDeployDecision,
  useInheritedProtections,
  useProtectedEnvironments,
} from '../../api/environments.ts';
import { useGuards } from '../../api/guards.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Pending } from '../../ui/feedback/pending.tsx';
import { plural } from '../../ui/text/format.ts';
import { keepsTagApprovers } from '../../api/tag-approvers.ts';
import { TailText } from '../../ui/text/tail-text.tsx';

interface Position {
  row: number;
  column: number;
}

/** Whether a user may deploy to an environment. */
interface AccessCell {
  /** Id of the user. */
  user: number;
  environment: string;
}

interface AccessGridProps {
  projectId: number;
  /** The cell that is explained at first; one that is gone gives way to the first of its row or column. None without a user. */
  chosen: { [Part in keyof AccessCell]: AccessCell[Part] | undefined };
  /** Called when another cell has the focus, and when the pointer leaves the cells. */
  onChoose: (cell: AccessCell) => void;
  /** The button for a project without environments. */
  action: ReactNode;
}

/** Who may deploy where, user by environment; the bar below says why of the cell that had the pointer or the focus last. */
export function AccessGrid({ projectId, chosen, onChoose, action }: AccessGridProps) {
  const access = useDeployAccess(projectId);
  const members = useMembers({ kind: 'project', id: projectId });
  const table = useRef<HTMLTableElement>(null);
  const [current, setCurrent] = useState(chosen);
  const guards = useGuards(projectId);
  const environments = useMemo(
    // Nothing is deployed to what keeps the approvers of tags.
    () => (access.data ?? []).filter((each) => !keepsTagApprovers(each.environment, guards.data?.guards ?? [])),
    [access.data, guards.data],
  );
  const rows = useMemo(() => accessRows(environments, members.data ?? []), [environments, members.data]);
  const isShown = rows.length > 0 && members.data !== undefined;
  useEffect(() => {
    if (isShown) table.current?.querySelector('[data-explained]')?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  const error = access.error ?? members.error ?? guards.error;
  if (error || access.data === undefined || members.data === undefined || guards.data === undefined) {
    return <Pending what="who may deploy" error={error} />;
  }
  if (environments.length === 0) {
    return (
      <EmptyState
        icon={<IconUsers size={24} />}
        title="No protected environments"
        text="Protect one to see here who may deploy to it, and why."
        action={action}
      />
    );
  }

  const move = (event: KeyboardEvent, from: Position) => {
    const step = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const row = Math.min(rows.length - 1, Math.max(0, from.row + (step[0] ?? 0)));
    const column = Math.min(environments.length - 1, Math.max(0, from.column + (step[1] ?? 0)));
    table.current?.querySelector<HTMLElement>(`[data-position="${row}-${column}"]`)?.focus();
  };
  const user = (rows.find((each) => each.user.id === current.user) ?? rows[0])?.user.id;
  const explained = environments.find((each) => each.environment === current.environment) ?? environments[0];
  const environment = explained?.environment;
  const isChosen = current.user !== undefined;

  return (
    <div className="gh-access">
      <div className="gh-access-scroll" data-scrolls-sideways>
        <Table
          ref={table}
          className="gh-access-table"
          stickyHeader
          highlightOnHover
          highlightOnHoverColor="var(--gh-hover)"
          borderColor="var(--gh-line)"
          aria-label="Who may deploy where"
          style={{ '--gh-access-columns': columnsOf(environments) }}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">User</Table.Th>
              {environments.map((each) => (
                <Table.Th key={each.environment} scope="col">
                  <span className="gh-row">
                    {each.protected ? (
                      <IconShieldLock size={14} role="img" aria-label="Protected:" />
                    ) : (
                      <IconLockOpen size={14} role="img" aria-label="Not protected:" />
                    )}
                    <Link
                      to="/environments"
                      search={{ project: projectId, name: each.environment }}
                      aria-label={`Rules of ${each.environment}`}
                    >
                      <TailText text={each.environment} tail={14} />
                    </Link>
                  </span>
                </Table.Th>
              ))}
              <Table.Th className="gh-access-rest" aria-hidden="true" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody
            onMouseLeave={() => {
              if (isChosen && user !== undefined && environment !== undefined) onChoose({ user, environment });
            }}
          >
            {rows.map((each, row) => (
              <Table.Tr key={each.user.id}>
                <Table.Th scope="row">
                  <div className="gh-access-user">
                    <TailText text={each.user.name} tail={12} />{' '}
                    <span className="gh-faint gh-truncate">
                      <TailText text={`@${each.user.username}`} tail={8} />
                    </span>
                  </div>
                </Table.Th>
                {environments.map((of, column) => {
                  const cell = { user: each.user.id, environment: of.environment };
                  const isAllowed = each.allowed[column];
                  const isExplained = cell.user === user && cell.environment === environment;
                  return (
                    <Table.Td key={of.environment} p={0}>
                      <button
                        type="button"
                        className="gh-access-cell"
                        data-position={`${row}-${column}`}
                        data-allowed={isAllowed || undefined}
                        data-explained={(isChosen && isExplained) || undefined}
                        aria-label={`${each.user.name} ${isAllowed ? 'may' : 'may not'} deploy to ${of.environment}`}
                        tabIndex={isExplained ? 0 : -1}
                        onFocus={() => {
                          setCurrent(cell);
                          onChoose(cell);
                        }}
                        onMouseEnter={() => setCurrent(cell)}
                        onKeyDown={(event) => move(event, { row, column })}
                      >
                        {isAllowed ? <IconCheck size={17} /> : <IconX size={15} />}
                      </button>
                    </Table.Td>
                  );
                })}
                <Table.Td className="gh-access-rest" aria-hidden="true" />
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {isChosen && user !== undefined && explained !== undefined ? (
        <Reason projectId={projectId} of={explained} userId={user} />
      ) : (
        <div className="gh-editor-footer">
          <div className="gh-muted">Click a tick or cross to see why.</div>
        </div>
      )}
    </div>
  );
}

/** Tracks of CSS grid: names are whole where there is room, and of a long one at least some 20 letters are shown. The last one ends at the gutter. */
function columnsOf(environments: readonly EnvironmentAccess[]): string {
  const heads = environments.map(
    ({ environment }) => `minmax(${Math.min(200, 40 + 8 * environment.length)}px, max-content)`,
  );
  return ['minmax(200px, max-content)', ...heads, 'minmax(calc(var(--gh-gutter) - 8px), 1fr)'].join(' ');
}

interface ReasonProps {
  projectId: number;
  of: EnvironmentAccess;
  userId: number;
}

function Reason({ projectId, of: { environment, tier }, userId }: ReasonProps) {
  const { data: decision } = useDeployDecision(projectId, environment, userId, true);
  const { data: own = [] } = useProtectedEnvironments({ projectId });
  const { data: inherited = [] } = useInheritedProtections(projectId);
  const deciding = [
    ...own.filter(({ name }) => name === environment),
    ...inherited.filter((each) => each.tier === tier),
  ];
  const approvals = deciding
    .flatMap(({ approvalRules }) => approvalRules)
    .reduce((sum, { requiredApprovals }) => sum + requiredApprovals, 0);
  return (
    <div className="gh-editor-footer">
      <div role="status">
        {decision === undefined ? null : (
          <div className="gh-access-reason">
            {decision.allowed ? (
              <IconCheck size={17} color="var(--gh-accent)" aria-hidden="true" />
            ) : (
              <IconX size={17} aria-hidden="true" />
            )}
            <div>
              {decision.reason}
              {decision.allowed && approvals > 0 ? ` Each deployment needs ${plural(approvals, 'approval')}.` : null}
            </div>
          </div>
        )}
      </div>
      {decision?.allowed === false ? (
        <Button
          variant="default"
          flex="none"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/people/projects/$id"
              params={{ id: projectId }}
              search={{ user: userId, environment }}
            />
          )}
        >
          Change roles
        </Button>
      ) : null}
      <Button
        variant="default"
        flex="none"
        renderRoot={(props) => (
          <Link {...props} to="/environments" search={{ project: projectId, name: environment }} />
        )}
      >
        Show the rules
      </Button>
    </div>
  );
}

interface AccessRow {
  user: { id: number; username: string; name: string };
  /** For each environment, in the order given. */
  allowed: boolean[];
}

/** One row for every member of the project and everyone else who may deploy (administrators), by name. */
export function accessRows(environments: readonly EnvironmentAccess[], members: readonly MemberEntry[]): AccessRow[] {
  const users = new Map<number, AccessRow['user']>();
  for (const { user } of members) users.set(user.id, user);
  for (const environment of environments) for (const { user } of environment.users) users.set(user.id, user);
  const allowed = environments.map(
    (environment) => new Set(environment.users.filter((each) => each.allowed).map((each) => each.user.id)),
  );
  return [...users.values()]
    .sort((a, b) => compareNames(a.name, b.name) || a.id - b.id)
    .map((user) => ({ user, allowed: allowed.map((ids) => ids.has(user.id)) }));
}
