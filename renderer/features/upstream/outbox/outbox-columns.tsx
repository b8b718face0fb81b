import { Button } from '@mantine/core';
import type { OutboxOperation } from '../../../../server/contract/outbox.ts';
import { chipColumn, timeColumn, wideColumn } from '../../../ui/lists/columns.tsx';
import { TailText } from '../../../ui/text/tail-text.tsx';
import type { Column } from '../../../ui/lists/virtual-table.tsx';
import { markOf, needsDecision, operationText } from './outbox-text.ts';

/** The columns of a plan (what would be sent) or of a push (what was). */
export function outboxColumns(
  view: 'plan' | 'push',
  resolve: (operation: OutboxOperation) => void,
): Column<OutboxOperation>[] {
  return [
    chipColumn('Status', '92px', (operation) => markOf(operation, view)),
    wideColumn('Change', (operation) => {
      const detail = (view === 'push' ? operation.error : null) ?? operation.explanation;
      return (
        <>
          <div className="gh-row">
            <strong className="gh-outbox-name gh-mono gh-truncate">
              <TailText text={operation.name} tail={16} />
            </strong>
            <span className="gh-truncate">{operationText(operation)}</span>
          </div>
          <div className="gh-faint gh-small gh-truncate">{detail}</div>
        </>
      );
    }),
    timeColumn('Changed here', '112px', (operation) => operation.at, { align: 'end', hideBelow: 640 }),
    {
      key: 'resolve',
      label: 'Resolve',
      labelHidden: true,
      width: '76px',
      align: 'end',
      cell: (operation) =>
        view === 'push' && needsDecision(operation) ? (
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Resolve: ${operationText(operation)} of ${operation.name}`}
            onClick={(event) => {
              event.stopPropagation();
              resolve(operation);
            }}
          >
            Resolve…
          </Button>
        ) : null,
    },
  ];
}
