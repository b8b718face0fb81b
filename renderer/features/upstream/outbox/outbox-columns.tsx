import { Button } from '@mantine/core';
import { IconPlayerSkipForward, IconSend } from '@tabler/icons-react';
import { skippedByPerson } from '../../../../server/contract/constants.ts';
import type { OutboxOperation } from '../../../../server/contract/outbox.ts';
import { operationText } from '../../../../server/contract/outbox-words.ts';
import { chipColumn, RowName, timeColumn, wideColumn } from '../../../ui/lists/columns.tsx';
import { RowMenu } from '../../../ui/lists/row-menu.tsx';
import { TailText } from '../../../ui/text/tail-text.tsx';
import type { Column } from '../../../ui/lists/virtual-table.tsx';
import { markOf, needsDecision } from './outbox-text.ts';

interface Acts {
  resolve: (operation: OutboxOperation) => void;
  /** Whether what waits is only proposed. */
  proposed?: boolean;
  /** Skips a change, or lets it wait again; undefined where neither is possible now. */
  settle: ((changeId: number, resolution: 'theirs' | 'retry') => void) | undefined;
}

/** Why a change stopped, or how it compares. */
function noteOf({ error, explanation }: OutboxOperation): string {
  return error || explanation;
}

/** Whether a person skipped it: one that a later change replaces cannot be sent any more. */
function isSkipped({ state, error }: OutboxOperation): boolean {
  return state === 'skipped' && error === skippedByPerson;
}

/** When each change was sent; empty for one that was not. */
const sentColumn = (hideBelow: number) =>
  timeColumn<OutboxOperation>('Sent', '112px', ({ state, settledAt }) => (state === 'done' ? settledAt : null), {
    align: 'end',
    hideBelow,
    never: '',
  });

/**
 * The columns of what waits and of what was sent. In a narrow window the time of a change leaves before that of its sending; the status, the
 * change and its button stay.
 */
export function outboxColumns(
  rows: readonly OutboxOperation[],
  pathOf: (projectId: number) => string,
  { resolve, settle, proposed = false }: Acts,
): Column<OutboxOperation>[] {
  const hasButton = rows.some(needsDecision);
  const hasSent = rows.some(({ state }) => state === 'done');
  const hasMenu =
    settle !== undefined && rows.some((operation) => operation.state === 'waiting' || isSkipped(operation));
  const acts: Column<OutboxOperation> = {
    key: 'actions',
    label: 'Actions',
    labelHidden: true,
    width: hasButton ? '76px' : '28px',
    align: 'end',
    cell: (operation) => {
      const what = `${operationText(operation)} of ${operation.name}`;
      const { changeId, state } = operation;
      if (settle !== undefined && state === 'waiting')
        return (
          <RowMenu
            name={what}
            actions={[{ label: 'Skip', icon: IconPlayerSkipForward, run: () => settle(changeId, 'theirs') }]}
          />
        );
      if (settle !== undefined && isSkipped(operation))
        return (
          <RowMenu
            name={what}
            actions={[{ label: 'Send it after all', icon: IconSend, run: () => settle(changeId, 'retry') }]}
          />
        );
      return needsDecision(operation) ? (
        <Button
          variant="default"
          size="compact-xs"
          aria-label={`Resolve: ${what}`}
          onClick={(event) => {
            event.stopPropagation();
            resolve(operation);
          }}
        >
          Resolve…
        </Button>
      ) : null;
    },
  };
  return [
    chipColumn('Status', '104px', (operation) => markOf(operation, proposed)),
    wideColumn('Change', (operation) => (
      <>
        <div className="gh-outbox-name">
          <RowName
            name={
              <span className="gh-mono">
                <TailText text={operation.name} tail={16} />
              </span>
            }
            detail={pathOf(operation.projectId)}
          />
        </div>
        <div className="gh-outbox-change gh-small">
          <ChangeText operation={operation} />
          {noteOf(operation) === '' ? null : <span className="gh-faint gh-truncate">{noteOf(operation)}</span>}
        </div>
      </>
    )),
    timeColumn('Changed', '112px', (operation) => operation.at, {
      align: 'end',
      hideBelow: hasSent ? 760 : 640,
    }),
    // Beside a button, there is less room for the change.
    ...(hasSent ? [sentColumn(hasButton ? 600 : 480)] : []),
    ...(hasButton || hasMenu ? [acts] : []),
  ];
}

/** What a change does, in a line. A short tag stays whole; a long one and its version keep their ends each. */
function ChangeText({ operation }: { operation: OutboxOperation }) {
  const { kind, tag, version } = operation;
  if (kind !== 'tag.set' || tag === null || version === null) {
    return (
      <span className="gh-truncate">
        <TailText text={operationText(operation)} tail={16} />
      </span>
    );
  }
  return (
    <span className="gh-row" style={{ gap: '0.3em' }}>
      <span style={{ flex: 'none' }}>Set the tag</span>
      {tag.length <= 20 ? <span style={{ flex: 'none' }}>{tag}</span> : <TailText text={tag} tail={10} />}
      to
      <TailText text={version} tail={16} />
    </span>
  );
}
