import { IconCheck, IconLockOpen, IconMinus, IconShieldLock, IconUsers } from '@tabler/icons-react';
import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useDeployAccess, useDeployDecision } from '../../api/environments.ts';
import { useMembers } from '../../api/directory.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pending } from '../../ui/pending.tsx';
import { TailText } from '../../ui/tail-text.tsx';
import { accessRows } from './access-rows.ts';
import './access-grid.css';

interface Spot {
  row: number;
  column: number;
}

/** Who may deploy where, person by environment; the cell under the pointer or the focus says why. */
export function AccessGrid({ projectId }: { projectId: number }) {
  const access = useDeployAccess(projectId);
  const members = useMembers({ kind: 'project', id: projectId });
  const table = useRef<HTMLTableElement>(null);
  const [spot, setSpot] = useState<Spot>({ row: 0, column: 0 });
  const environments = access.data ?? [];
  const rows = useMemo(() => accessRows(access.data ?? [], members.data ?? []), [access.data, members.data]);
  const error = access.error ?? members.error;
  if (error || access.data === undefined || members.data === undefined) {
    return <Pending what="who may deploy" error={error} />;
  }
  if (environments.length === 0) {
    return (
      <EmptyState
        icon={<IconUsers size={24} />}
        title="No environments yet"
        text="Protect one, or create one over the API, and this shows who may deploy to it and why."
      />
    );
  }

  const move = (event: KeyboardEvent, from: Spot) => {
    const step = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const row = Math.min(rows.length - 1, Math.max(0, from.row + (step[0] ?? 0)));
    const column = Math.min(environments.length - 1, Math.max(0, from.column + (step[1] ?? 0)));
    table.current?.querySelector<HTMLElement>(`[data-spot="${row}-${column}"]`)?.focus();
  };
  const person = rows[Math.min(spot.row, rows.length - 1)];
  const environment = environments[Math.min(spot.column, environments.length - 1)];

  return (
    <div className="gh-access">
      <div className="gh-access-scroll gh-scroll">
        <table ref={table} aria-label="Who may deploy where">
          <thead>
            <tr>
              <th scope="col">Person</th>
              {environments.map((each) => (
                <th key={each.environment} scope="col">
                  <span className="gh-row">
                    {each.protected ? (
                      <IconShieldLock size={14} role="img" aria-label="Protected:" />
                    ) : (
                      <IconLockOpen size={14} role="img" aria-label="Not protected:" />
                    )}
                    <TailText text={each.environment} tail={14} />
                  </span>
                </th>
              ))}
              <td className="gh-access-rest" aria-hidden="true" />
            </tr>
          </thead>
          <tbody>
            {rows.map((each, row) => (
              <tr key={each.user.id}>
                <th scope="row">
                  <div className="gh-access-person" title={`${each.user.name} @${each.user.username}`}>
                    {each.user.name} <span>@{each.user.username}</span>
                  </div>
                </th>
                {each.allowed.map((allowed, column) => (
                  <td key={environments[column]?.environment}>
                    <button
                      type="button"
                      className="gh-access-cell"
                      data-spot={`${row}-${column}`}
                      data-allowed={allowed || undefined}
                      aria-label={`${each.user.name} ${allowed ? 'may' : 'may not'} deploy to ${environments[column]?.environment ?? ''}`}
                      tabIndex={row === spot.row && column === spot.column ? 0 : -1}
                      onFocus={() => setSpot({ row, column })}
                      onMouseEnter={() => setSpot({ row, column })}
                      onKeyDown={(event) => move(event, { row, column })}
                    >
                      {allowed ? <IconCheck size={17} /> : <IconMinus size={15} />}
                    </button>
                  </td>
                ))}
                <td className="gh-access-rest" aria-hidden="true" />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {person && environment ? (
        <Why
          projectId={projectId}
          environment={environment.environment}
          userId={person.user.id}
          name={person.user.name}
        />
      ) : null}
    </div>
  );
}

interface WhyProps {
  projectId: number;
  environment: string;
  userId: number;
  name: string;
}

function Why({ projectId, environment, userId, name }: WhyProps) {
  const { data: decision } = useDeployDecision(projectId, environment, userId, true);
  return (
    <div className="gh-access-why" role="status">
      {decision === undefined ? null : (
        <>
          {decision.allowed ? (
            <IconCheck size={17} color="var(--gh-accent)" aria-hidden="true" />
          ) : (
            <IconMinus size={17} aria-hidden="true" />
          )}
          <p>
            <strong>
              {name} {decision.allowed ? 'may' : 'may not'} deploy to {environment}.
            </strong>{' '}
            <span className="gh-muted">{decision.reason}</span>
          </p>
        </>
      )}
    </div>
  );
}
